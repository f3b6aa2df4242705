"""A hook of MkDocs: pages and parts of pages that are made from the code and the measured data.

What is made here is not committed. A page of docs/ names such a part in two braces:

    {{ procedure kgdb.follow }}   the reference of a procedure; {{ procedures }} is a table of all
    {{ evaluation/encoder }}      measured numbers; measurements.py describes what may stand here
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import command_reference
import form_reference
import option_reference
import procedure_reference
import reproduction_pages

import measurements

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

REPRODUCTIONS = "measurements/reproductions"


def generated() -> dict[str, str]:
    """All pages that are made, by their path in docs/."""
    return {
        "reference/commands.md": command_reference.page(),
        "reference/options.md": option_reference.page(),
        "reference/forms.md": form_reference.page(),
        **{f"{REPRODUCTIONS}/{name}": page for name, page in reproduction_pages.pages().items()},
    }


def filled(text: str) -> str:
    """A page of docs/ with the parts that it names."""
    return measurements.REFERENCE.sub(lambda at: part(at[1]), text)


def part(reference: str) -> str:
    """What a page names.  It fails for a name that nothing has."""
    kind, _, name = reference.partition(" ")
    if kind == "procedures":
        return procedure_reference.index()
    if kind == "procedure":
        return procedure_reference.reference(name)
    return measurements.shown(reference)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, the pictures of reproduced tables, and the rest of the menu."""
    from mkdocs.structure.files import File

    for path, page in generated().items():
        files.append(File.generated(config, path, content=page))
    for picture in sorted(reproduction_pages.RUN.glob("*.svg")):
        path = f"{REPRODUCTIONS}/{picture.name}"
        files.append(File.generated(config, path, abs_src_path=str(picture)))
    config.nav = listed(config.nav, sorted(files.src_uris))
    return files


def listed(menu: Any, pages: Sequence[str]) -> Any:
    """The menu with the pages of each folder that it names, its index first."""
    match menu:
        case list():
            return [listed(entry, pages) for entry in menu]
        case dict():
            return {title: listed(entry, pages) for title, entry in menu.items()}
        case str() if menu.endswith("/"):
            inside = [page for page in pages if page.startswith(menu) and page.endswith(".md")]
            index = f"{menu}index.md"
            return [index, *({Path(page).stem: page} for page in inside if page != index)]
    return menu


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill in what the page names."""
    return filled(markdown)
