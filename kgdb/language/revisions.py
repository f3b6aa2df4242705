"""What tells weights of one name apart."""

from __future__ import annotations

import hashlib
from pathlib import Path


def revision_of(name: str) -> str:
    """The revision of the weights at a path, or of those of that name from the hub.

    At a path it is made of the names, sizes and times of the files: to read gigabytes would take
    longer than to ask. Of a hub name it is the commit that was fetched; empty if none was.
    """
    path = Path(name).expanduser()
    if not path.exists():
        return _commit(name)
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.is_file())
    facts = [(str(f.relative_to(path)), f.stat().st_size, f.stat().st_mtime_ns) for f in files]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _commit(name: str) -> str:
    try:
        from huggingface_hub import try_to_load_from_cache

        fetched = try_to_load_from_cache(name, "config.json")
    except (ImportError, ValueError):
        return ""
    return Path(fetched).parent.name if isinstance(fetched, str) else ""
