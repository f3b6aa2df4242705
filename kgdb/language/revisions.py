"""What tells weights of one name apart."""

from __future__ import annotations

import hashlib
from pathlib import Path


def revision_of(name: str) -> str:
    """The revision of the weights in a folder, or of those of that name from the hub.

    Of a folder it is made of the names, sizes and times of its files: to read gigabytes would
    take longer than to ask. Of a hub name it is the commit that was fetched; empty if none was.
    """
    folder = Path(name)
    if folder.is_dir():
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        facts = [
            (str(f.relative_to(folder)), f.stat().st_size, f.stat().st_mtime_ns) for f in files
        ]
        return hashlib.sha256(repr(facts).encode()).hexdigest()
    from huggingface_hub import try_to_load_from_cache

    fetched = try_to_load_from_cache(name, "config.json")
    return Path(fetched).parent.name if isinstance(fetched, str) else ""
