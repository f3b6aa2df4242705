"""Writing what was answered as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from kgdb.cli.console import err
from kgdb.errors import UsageError
from kgdb.presentation import Comparison
from kgdb.values import Answer, Verdict
from kgdb.wording import one_line

Write = Callable[[Sequence[Answer | Verdict]], None]


def page_writer(path: Path | None) -> Write:
    """What writes the results to ``path``, as a page; nothing is written without one.

    Raises :class:`UsageError` at once where it could not be written in the end.
    """
    if path is None:
        return lambda _: None
    check_page(path)
    return lambda results: write_page(path, results)


def named_file(text: str) -> Path:
    """The file of that name; ``~`` is the home of a user.

    Raises :class:`UsageError` where there is no such user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise UsageError(
            f"{text} cannot be written: there is no such user.",
            hint="Name a file in a folder that there is.",
        ) from error


def check_page(path: Path) -> None:
    """Raises :class:`UsageError` where no page can be made, or not there."""
    from kgdb.web import require

    require()
    folder = path.absolute().parent
    try:
        there = folder.is_dir()
    except OSError as error:
        raise _not_written(path, error) from error
    if not there:
        raise UsageError(
            f"{path} cannot be written: there is no folder {folder}.",
            hint="Make the folder, or name a file in another.",
        )


def write_page(
    path: Path, results: Sequence[Answer | Verdict], comparison: Comparison | None = None
) -> None:
    """Write the page of the results, and print its name.

    Raises :class:`UsageError` if it cannot be written.
    """
    from kgdb.web import render

    html = render(results, comparison)
    try:
        # A lone surrogate, which a model can write, is no letter of any text.
        path.write_bytes(html.encode("utf-8", errors="replace"))
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from error
    err.print(f"Wrote {one_line(str(path))}.", markup=False)


def _not_written(path: Path, error: OSError | ValueError) -> UsageError:
    """``error`` is what the system says, or Python of a name that can be none of a file."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return UsageError(
        f"{path} cannot be written: {why}.", hint="Name a file in a folder that you may write to."
    )
