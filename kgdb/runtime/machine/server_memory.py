"""The memory of the server: from the settings, or chosen for the machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import psutil

from kgdb.errors import UsageError
from kgdb.wording import short

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

_SIZE = re.compile(r"(\d+)([kmg])", re.IGNORECASE)
_UNITS = {"k": KIB, "m": MIB, "g": GIB}
_MIN_HEAP = 256 * MIB
_MIN_PAGE_CACHE = 8 * MIB


@dataclass(frozen=True, slots=True)
class Memory:
    """Sizes in bytes."""

    heap: int
    page_cache: int


def choose(heap: str | None, page_cache: str | None, available: int | None = None) -> Memory:
    """Sizes for a server on a machine with ``available`` bytes (default: this machine).

    By default each size is a quarter of the machine, at least 512 MiB (heap) and 128 MiB (page
    cache), at most 4 GiB: language models and encoders need the other half. Raises
    :class:`UsageError` for an invalid or too small size, and for more than the machine has.
    """
    total = machine_memory() if available is None else available
    chosen = Memory(
        heap=(
            parse_size(heap, "heap", _MIN_HEAP) if heap else _clamp(total // 4, 512 * MIB, 4 * GIB)
        ),
        page_cache=(
            parse_size(page_cache, "page_cache", _MIN_PAGE_CACHE)
            if page_cache
            else _clamp(total // 4, 128 * MIB, 4 * GIB)
        ),
    )
    if (heap or page_cache) and chosen.heap + chosen.page_cache > total:
        raise UsageError(
            f"A heap of {format_size(chosen.heap)} and a page cache of "
            f"{format_size(chosen.page_cache)} together exceed the "
            f"{format_size(total)} of memory of this machine.",
            hint="Set smaller sizes with KGDB_HEAP and KGDB_PAGE_CACHE.",
        )
    return chosen


def parse_size(text: str, name: str, minimum: int = 0) -> int:
    """The bytes of a size in Neo4j's notation (``512m``, ``4g``)."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"{name} is {short(text)}; expected a whole number and a unit: k, m or g, such as 512m."
        )
    size = int(match[1]) * _UNITS[match[2].lower()]
    if size < minimum:
        raise UsageError(
            f"{name} is {short(text)}; the server needs at least {format_size(minimum)}."
        )
    return size


def format_size(size: int) -> str:
    """A size in the notation of Neo4j and the JVM, in the largest unit without a fraction."""
    for unit, factor in (("g", GIB), ("m", MIB)):
        if size >= factor and size % factor == 0:
            return f"{size // factor}{unit}"
    return f"{size // KIB}k"


def machine_memory() -> int:
    """The memory of the machine in bytes, or the limit of the container if that is lower."""
    limits = [group.limit for group in _limits()]
    return min([int(psutil.virtual_memory().total), *limits])


def available_memory() -> int:
    """The bytes still available, on the machine and within the container."""
    left = [group.limit - group.used for group in _limits()]
    return max(0, min([int(psutil.virtual_memory().available), *left]))


class _Limit(NamedTuple):
    """The memory limit of a control group, and its use without the file cache."""

    limit: int
    used: int


def _limits(
    membership: Path = Path("/proc/self/cgroup"), mount: Path = Path("/sys/fs/cgroup")
) -> list[_Limit]:
    """All memory limits from this process's control group up to the root (versions 1 and 2)."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return []
    limits: list[_Limit] = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            root, files = mount, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root = mount / "memory"
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        relative = PurePosixPath(path.lstrip("/"))
        for folder in (relative, *relative.parents):
            limit = _number(root / folder / files[0])
            if limit is not None:
                limits.append(_Limit(limit, _used(root / folder, *files[1:])))
    return limits


def _used(folder: Path, usage: str, cache: str) -> int:
    used = _number(folder / usage) or 0
    try:
        counters = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return used
    return used - int(counters.get(cache, 0))


def _number(file: Path) -> int | None:
    """The number in the file; ``None`` without a file, or without a limit."""
    try:
        text = file.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def _clamp(value: int, low: int, high: int) -> int:
    # Whole MiB keep the configuration readable.
    return max(low, min(value, high)) // MIB * MIB
