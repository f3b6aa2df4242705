"""Writing what was answered as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kgdb.cli.console import err
from kgdb.errors import UsageError
from kgdb.model import Answer, Verdict

Write = Callable[[Sequence[Answer | Verdict]], None]


def page_writer(path: Path | None) -> Write:
    """What writes the results to ``path``, as a page; nothing is written without one.

    Raises :class:`UsageError` at once where it could not be written in the end.
    """
    if path is None:
        return lambda _: None
    check_page(path)
    return lambda results: write_page(path, results)


def check_page(path: Path) -> None:
    """Raises :class:`UsageError` where no page can be made, or not there."""
    from kgdb.web import require

    require()
    if not path.absolute().parent.is_dir():
        raise UsageError(
            f"{path} cannot be written: there is no folder {path.absolute().parent}.",
            hint="Make the folder, or name a file in another.",
        )


def write_page(path: Path, results: Sequence[Answer | Verdict]) -> None:
    """Write the page of the results."""
    from kgdb.web import render

    save_page(path, render(results))


def save_page(path: Path, html: str) -> None:
    """Write the file and say so."""
    # A lone surrogate, which a model can write, is no letter of any text.
    path.write_bytes(html.encode("utf-8", errors="replace"))
    err.print(f"Wrote {path}.", markup=False)
