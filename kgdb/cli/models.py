"""The models of a first question, fetched beforehand."""

from __future__ import annotations

from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import out, reporting
from kgdb.wording import counted, one_line


def fetch_models() -> None:
    """Fetch what the encoder and the language model need, and check that they load."""
    from kgdb.language import load_encoder, load_llm

    settings = settings_of()
    with reporting() as report:
        encoding = load_encoder(settings)
        size = counted(encoding.encode(["a"]).shape[1], "dimension")
        out.print(one_line(f"encoder: {encoding.name}, {size}"), markup=False)
        model = load_llm(settings, report)
        out.print(one_line(f"language model: {model.name if model else 'none'}"), markup=False)
