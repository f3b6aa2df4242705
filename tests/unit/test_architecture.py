"""What holds for the project as a whole: layers, one version, no registry's host."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]

# Put together here, so that this file names none either.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("repo1", "maven", "org"),
        ("repo", "maven", "apache", "org"),
        ("central", "sonatype", "com"),
        ("oss", "sonatype", "org"),
        ("pypi", "org"),
        ("pypi", "python", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("proxy", "golang", "org"),
        ("crates", "io"),
        ("conda", "anaconda", "org"),
    )
)


def files() -> list[Path]:
    """Every file of the project: what git has, or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def test_every_module_is_in_a_layer() -> None:
    """One that is in none could import anything."""
    layers = re.findall(r'^    "(kgdb\..*)",$', read(ROOT / "pyproject.toml"), re.MULTILINE)
    layered = {name.strip().removeprefix("kgdb.") for layer in layers for name in layer.split(":")}
    modules = {
        path.stem
        for path in (ROOT / "kgdb").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert modules - {"__init__", "__main__"} == layered


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_no_file_names_the_host_of_a_package_registry() -> None:
    project = files()
    assert len(project) > 100
    named = [f"{path.relative_to(ROOT)}: {host}" for path in project for host in hosts(path)]
    assert named == []


def hosts(path: Path) -> list[str]:
    """The hosts of registries that a file names."""
    content = path.read_bytes()
    return [
        host
        for host in REGISTRY_HOSTS
        if host.encode() in content
        and re.search(rf"(?<![\w.-]){re.escape(host)}".encode(), content)
    ]


def test_a_host_is_found_where_it_is_named(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text(f"https://{REGISTRY_HOSTS[0]}/x, not-{REGISTRY_HOSTS[4]}", encoding="utf-8")
    assert hosts(text) == [REGISTRY_HOSTS[0]]


def test_every_module_says_what_it_is_for_and_is_small_enough_to_read() -> None:
    for path in sorted((ROOT / "kgdb").rglob("*.py")):
        text = read(path)
        assert text.startswith('"""'), path
        assert len(text.splitlines()) <= 400, path
