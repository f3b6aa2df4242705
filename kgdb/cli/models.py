"""``kgdb models``."""

from __future__ import annotations

import click

from kgdb.cli.console import out, reporting
from kgdb.settings import load_settings
from kgdb.wording import counted, one_line


@click.command(
    "models",
    epilog="Example: kgdb models",
)
@click.option("--llm", help="Name of the language model. [env: KGDB_LLM; default: smollm2]")
@click.option("--encoder", help="Name of the encoder. [env: KGDB_ENCODER; default: minilm]")
@click.option("--clear-cache", is_flag=True, help="Only remove the replies that are kept.")
def models_command(llm: str | None, encoder: str | None, clear_cache: bool) -> None:
    """Fetch what the models need and check that they load, so that questions work offline."""
    from kgdb.language import cache_folder, load_encoder, load_llm
    from kgdb.language.recording.cache import clear

    settings = load_settings(llm=llm, encoder=encoder)
    if clear_cache:
        freed = clear(cache_folder(settings))
        folder = cache_folder(settings)
        out.print(f"Removed {freed / 1_000_000:.1f} MB of replies from {folder}.", markup=False)
        return
    with reporting() as report:
        encoding = load_encoder(settings)
        dimensions = encoding.encode(["a"]).shape[1]
        size = counted(dimensions, "dimension")
        out.print(one_line(f"encoder: {encoding.name}, {size}"), markup=False)
        model = load_llm(settings, report)
        out.print(one_line(f"language model: {model.name if model else 'none'}"), markup=False)
