"""Pages that the site makes from the code, and what pages name of the code."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import form_reference
import procedure_reference
import site_pages

import kgdb
from kgdb.graph.forms.operators import FORMS

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]


PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
}


@pytest.mark.slow
def test_the_site_makes_the_help_of_each_command_and_the_options_of_each_method() -> None:
    made = site_pages.generated()
    assert "\n## kgdb answer\n" in made["reference/commands.md"]
    assert "\n### kgdb lab train\n" in made["reference/commands.md"]
    assert "\n## rok\n" in made["reference/options.md"]
    assert "\n### SelectByCount\n" in made["reference/forms.md"]
    assert [path for path in made if (ROOT / "docs" / path).exists()] == []


def test_each_procedure_has_a_page_that_shows_its_reference() -> None:
    folder = "docs/reference/procedures"
    pages = {path.removeprefix(f"{folder}/") for path in PAGES if path.startswith(folder)}
    procedures = procedure_reference.catalogue()
    assert pages == {"index.md", *(f"{name}.md" for name in procedures)}
    for name in procedures:
        page = site_pages.filled(PAGES[f"{folder}/{name}.md"])
        assert f"\n```\n{name}(" in page
        assert "\n| column | type | meaning |\n" in page
    assert "](kgdb.beam.md) | Relation-aware beam" in site_pages.filled(PAGES[f"{folder}/index.md"])


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
    made = {f"docs/{path}" for path in site_pages.generated()}
    assert [one for one in named if one[1] not in {*PAGES, *made}] == []


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].splitlines()) < 120


def test_every_module_that_a_page_names_exists() -> None:
    procedures = set(procedure_reference.catalogue())
    named = {name for page in PAGES.values() for name in re.findall(r"`(kgdb(?:\.\w+)+)[`(]", page)}
    assert len(named - procedures) > 10
    assert [name for name in sorted(named - procedures) if not exists(name)] == []


def exists(name: str) -> bool:
    """Whether it is a module, whose extra need not be installed, or something in one."""
    try:
        if importlib.util.find_spec(name):
            return True
    except ModuleNotFoundError:
        pass
    module, _, attribute = name.rpartition(".")
    return bool(module) and hasattr(importlib.import_module(module), attribute)


def python_examples(kinds: str) -> list[tuple[str, str]]:
    """The code of all blocks of these kinds, each with its page."""
    return [
        (name, example)
        for name, page in PAGES.items()
        for example in re.findall(rf"^```(?:{kinds})\n(.*?)^```", page, re.M | re.S)
    ]


def test_every_method_that_a_page_calls_exists() -> None:
    kinds = {
        "kg": (kgdb.KnowledgeGraph, kgdb.AsyncKnowledgeGraph),
        "db": (kgdb.Connection, kgdb.AsyncConnection),
    }
    called = {
        (page, name, method)
        for page, example in python_examples("python|pycon")
        for name, method in re.findall(r"(?<![\w.])(kg|db)\.(\w+)", example)
    }
    assert len(called) > 15
    assert [
        one for one in sorted(called) if not any(hasattr(kind, one[2]) for kind in kinds[one[1]])
    ] == []


def test_every_python_example_is_python() -> None:
    examples = python_examples("python")
    assert len(examples) > 5
    for page, example in examples:
        compile(example, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
