"""Pages that programs write from the code are as the code has it now."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import command_reference
import form_reference
import option_reference

import kgdb
from kgdb.graph.forms.operators import FORMS

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.parametrize("generator", [command_reference, option_reference, form_reference])
def test_a_generated_page_is_up_to_date(generator: ModuleType) -> None:
    # In a process of its own: click keeps the help option of a command as its first caller had it.
    program = f"import sys, {generator.__name__} as page; sys.stdout.write(page.page())"
    written = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=ROOT / "scripts",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    page = written.stdout.decode("utf-8")
    assert generator.PAGE.read_text(encoding="utf-8") == page, "run make docs"


def test_every_operator_of_forms_has_an_example() -> None:
    assert set(form_reference.EXAMPLES) == set(FORMS)
    results = json.loads(form_reference.RESULTS.read_text(encoding="utf-8"))
    assert set(results) == {kind.__name__ for kind in FORMS}
    assert all(type(form) is kind for kind, (_, form) in form_reference.EXAMPLES.items())


def test_every_page_that_the_code_names_exists() -> None:
    named = {
        (path.relative_to(ROOT), page)
        for folder in ("kgdb", "scripts", "tests", "benchmarks", "loaders", "procedures/src")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".java", ".toml", ".txt", ".cypher"}
        for page in re.findall(
            r"(?<![\w/.])docs/[\w./-]+\.md", path.read_text(encoding="utf-8", errors="ignore")
        )
    }
    assert len(named) > 5
    assert [one for one in named if not (ROOT / one[1]).is_file()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_every_page_is_in_the_navigation() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if str(page) not in config] == []


def test_every_module_that_a_page_names_exists() -> None:
    procedures = {path.stem for path in (ROOT / "docs/reference/procedures").glob("kgdb.*.md")}
    named = {
        name
        for path in (ROOT / "docs").rglob("*.md")
        for name in re.findall(r"`(kgdb(?:\.\w+)+)[`(]", path.read_text(encoding="utf-8"))
    }
    assert len(named - procedures) > 10
    assert [name for name in sorted(named - procedures) if not exists(name)] == []


def exists(name: str) -> bool:
    """Whether it is a module, or something in one."""
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return bool(module) and hasattr(importlib.import_module(module), attribute)
    return True


def python_examples(kinds: str) -> list[tuple[str, str]]:
    """The code of all blocks of these kinds, each with its page."""
    return [
        (str(path.relative_to(ROOT)), example)
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        for example in re.findall(
            rf"^```(?:{kinds})\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S
        )
    ]


def test_every_method_that_a_page_calls_exists() -> None:
    kinds = {"kg": kgdb.KnowledgeGraph, "db": kgdb.Connection}
    called = {
        (page, name, method)
        for page, example in python_examples("python|pycon")
        for name, method in re.findall(r"(?<![\w.])(kg|db)\.(\w+)", example)
    }
    assert len(called) > 15
    assert [one for one in sorted(called) if not hasattr(kinds[one[1]], one[2])] == []


def test_every_python_example_is_python() -> None:
    examples = python_examples("python")
    assert len(examples) > 5
    for page, example in examples:
        compile(example, page, "exec")
