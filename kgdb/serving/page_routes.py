"""The page at ``/``: its files, and headers that let it load nothing from anywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response

from kgdb import shipped_files
from kgdb.serving.problem_details import Refused
from kgdb.web import COMMON_STYLE

router = APIRouter(include_in_schema=False)

_SITE = Path(__file__).parent / "site"
_LIBRARY = "cytoscape.min.js"
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}

FILES: Mapping[str, Path] = {file.name: file for file in (*sorted(_SITE.iterdir()), COMMON_STYLE)}
"""All that is served, by name: no path leads anywhere else."""


def is_of_the_page(path: str) -> bool:
    """Whether a path is one of the page's, which has no data: whoever opens it needs no key."""
    return path == "/" or path.startswith("/page/")


@router.get("/")
async def index() -> Response:
    """The page."""
    return _file(FILES["index.html"])


@router.get("/page/{name}")
async def file(name: str) -> Response:
    """A file of the page."""
    if name == _LIBRARY:
        return _file(shipped_files.page_library() / _LIBRARY)
    if name not in FILES:
        raise Refused(404, "No such file", "The page has no such file.")
    return _file(FILES[name])


def _file(path: Path) -> Response:
    if not path.is_file():
        raise Refused(
            404, "Not built", f"{path.name} was not built.", "Build it: make plugin, or a wheel."
        )
    return FileResponse(path, media_type=_TYPES[path.suffix], headers=dict(_HEADERS))
