"""A measured number stands in ``measurements/`` and nowhere else; pages show what is there."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import site_pages

import measurements

pytestmark = pytest.mark.unit

ROOT = measurements.ROOT
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [measurements.README, *sorted((ROOT / "docs").rglob("*.md"))]
}

# What is no prose of a person: measured numbers, code, comments, targets of links.
NOT_PROSE = re.compile(
    "|".join(
        (
            r"\{\{ .*? \}\}",
            r"<!--m .*?<!--/m-->",
            r"<!--.*?-->",
            r"^ *```.*?^ *```",
            r"``.+?``",
            r"`[^`]+`",
            r"\]\([^)]*\)",
        )
    ),
    re.DOTALL | re.MULTILINE,
)

NUMBER = r"(?:\d[\d.,]*(?: to |–| and )?)+"
WORD = "half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred"
UNIT = (
    r"(?:%|percent|ns|µs|ms|s|sec|seconds?|min|minutes?|hours?|h|days?"
    r"|[kKMGT]i?B|bytes?|nats)(?![\w/])"
)
MEASURED = {
    "a share, a time or a size": rf"{NUMBER}\s*(?:million |thousand )?{UNIT}",
    "a share of a number": r"\d[\d,]* of (?:the )?\d[\d,]*",
    "a rate": rf"(?:{NUMBER}|{WORD})\s+\w+(?: \w+)? (?:a|per) (?:second|minute|hour)",
    "a ratio": (
        rf"\d[\d.,]* times\b|(?:{WORD}) times (?:as|more|less|faster|slower|longer)"
        r"|(?:twice|half) as (?:fast|slow|long)"
    ),
    "a fraction": (
        r"\b(?:a|two|three|four) (?:half|third|quarter|fifth|sixth|tenth)s?"
        r" (?:faster|slower|longer|less|more|of the (?:time|disk|tokens))"
    ),
}

# Numbers that nobody measured and that cannot stand as code, with the reason.
ALLOWED = {}


def by_hand(text: str) -> list[str]:
    """The numbers of a text that look measured and were not rendered, each with its kind."""
    prose = NOT_PROSE.sub("¤", text)
    return [
        f"{found[0]} ({kind})"
        for kind, pattern in MEASURED.items()
        for found in re.finditer(pattern, prose)
    ]


def test_the_readme_shows_what_the_data_files_have() -> None:
    assert measurements.readme() == PAGES["README.md"], "run make docs"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_only_what_there_is(name: str) -> None:
    site_pages.filled(PAGES[name])


@pytest.mark.parametrize("name", PAGES)
def test_no_measured_number_is_written_by_hand(name: str) -> None:
    found = by_hand(PAGES[name])
    excused = [text for page, text in ALLOWED if page == name]
    left = [one for one in found if not any(one.startswith(text) for text in excused)]
    assert left == [], (
        f"{name}: put a measured number into measurements/ and name it in a comment; "
        "write a limit, a default or an example as code."
    )


@pytest.mark.parametrize(
    "text",
    [
        "RefKG is right for 92, 81 and 86 % of the questions.",
        "A load takes 58 s.",
        "a load of 1.5 to 2 minutes",
        "It needs 3.0 GB of memory.",
        "kgdb reads 1.42 million lines a second.",
        "three times as fast as plain Cypher",
        "It is 2.3 times faster.",
        "The import takes twice as long, a fifth longer than before.",
        "53 of 64 are right.",
        "| 1-hop | 90.0 % |",
    ],
)
def test_a_measured_number_is_recognised(text: str) -> None:
    assert by_hand(text) != []


@pytest.mark.parametrize(
    "text",
    [
        "kgdb drops replies beyond `512 MB`.",
        "It is right for <!--m evaluation/x-->92.5 %<!--/m--> of them.",
        "{{ evaluation/x set=90 % }}",
        "```console\n$ kgdb eval   # 58 s\n```",
        "Python 3.11, two hops, up to 21 calls, the last of 3 stages",
    ],
)
def test_other_numbers_are_left_alone(text: str) -> None:
    assert by_hand(text) == []


@pytest.mark.parametrize("path", sorted(measurements.DATA.glob("*.toml")), ids=lambda p: p.stem)
def test_a_data_file_is_whole(path: Path) -> None:
    """Runs have all four fields, names are unique, rows fit their columns, numbers are used."""
    held = tomllib.loads(path.read_text(encoding="utf-8"))
    if path.stem == "machines":
        assert list(held) == ["machines"]
        return
    for name, run in held["runs"].items():
        assert sorted(run) == ["command", "commit", "date", "machine"], name
        assert re.fullmatch(r"[0-9a-f]{7,40}", run["commit"]), name
        measurements.run(path.stem, name)
    kinds = ("tables", "values", "texts", "lists")
    names = Counter(name for kind in kinds for name in held.get(kind, {}))
    assert [name for name, count in names.items() if count > 1] == []
    for name in held.get("tables", {}):
        table = measurements.table(path.stem, name)
        assert all(len(row) == len(table.columns) for row in table.rows), name
        keys = [tuple(row[: table.names]) for row in table.rows]
        assert len(keys) == len(table.rows)
    text = "\n".join(PAGES.values())
    shown = set(re.findall(rf"(?:\{{\{{|<!--m) {path.stem}/([^/ >]+?)(?=[/ ]|-->)", text))
    assert set(names) - shown == set(), "nothing shows these; show or remove them"


@pytest.mark.parametrize(
    "reference", ["nothing/x", "evaluation/nothing", "evaluation/encoder/MetaQA 9-hop/x/n"]
)
def test_what_no_data_file_has_is_an_error(reference: str) -> None:
    with pytest.raises(measurements.MeasurementError):
        site_pages.filled(f"It is {{{{ {reference} }}}}.")


def test_no_line_of_the_readme_begins_with_a_number() -> None:
    """Markdown would take such a line for HTML, and not for part of its paragraph."""
    lines = PAGES["README.md"].splitlines()
    assert [line for line in lines if line.lstrip().startswith("<!--m ")] == []
