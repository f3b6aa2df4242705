"""No line of the terminal is broken inside a word."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kgdb.cli.console import Terminal
from kgdb.cli.wrapping import fitted, wrapped

pytestmark = [pytest.mark.unit, pytest.mark.slow]

WORDS = st.lists(st.text("ab電é-/", min_size=1, max_size=12), min_size=1, max_size=12)


@given(WORDS, st.integers(0, 8), st.integers(10, 40))
def test_words_stay_whole_and_lines_fit_where_words_do(
    words: list[str], indent: int, width: int
) -> None:
    text = wrapped(Text(" " * indent + " ".join(words)), width).plain
    assert text.split() == words
    for line in text.split("\n"):
        assert cell_len(line) <= width or len(line.split()) == 1


def test_the_rest_of_a_line_is_indented_as_its_beginning_and_keeps_its_style() -> None:
    text = wrapped(Text.assemble("  one ", ("two three", "bold"), " four"), 9)
    assert text.plain == "  one two\n  three\n  four"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["two", "three"]


def test_lines_of_their_own_and_empty_ones_stay() -> None:
    assert wrapped(Text("a\n\nb\n"), 10).plain == "a\n\nb\n"


def table() -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    made.add_column("option", no_wrap=True)
    made.add_column("what it is for", max_width=80, overflow="fold")
    made.add_row(Text("navigation"), Text("chooses among extraordinarily many relations"))
    made.add_row(Text("width"), Text("relations kept"))
    return made


@pytest.mark.parametrize("width", [20, 25, 28, 29, 30, 31, 40, 60, 80, 200])
def test_no_cell_of_a_table_is_broken_inside_a_word(width: int) -> None:
    screen = io.StringIO()
    console = Terminal(file=screen, force_terminal=True, color_system=None, width=width)
    console.print(table())
    said = re.findall(r"\w+", screen.getvalue())
    for word in "navigation chooses among extraordinarily many relations width kept".split():
        assert word in said
    assert max(map(cell_len, screen.getvalue().splitlines())) <= width


def test_a_table_with_room_is_as_it_was() -> None:
    console = Console(file=io.StringIO(), width=200)
    with console.capture() as plain:
        console.print(table())
    with console.capture() as fit:
        console.print(fitted(table(), console))
    assert fit.get() == plain.get()


PROGRAM = """
import fcntl, os, pty, struct, subprocess, sys, termios
ours, theirs = pty.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, int(sys.argv[1]), 0, 0))
command = [sys.executable, "-m", "kgdb", *sys.argv[2:]]
running = subprocess.Popen(command, stdout=theirs, stderr=theirs)
os.close(theirs)
while True:
    try:
        said = os.read(ours, 65536)
    except OSError:
        break
    if not said:
        break
    sys.stdout.buffer.write(said)
running.wait()
"""


@pytest.mark.parametrize(
    "command",
    [
        ["load", "--list"], ["answer", "--methods"], ["status"], ["load", "nonsense"],
        ["load", "demo", "--dry-run"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_narrow_terminal_shows_whole_words(command: list[str], tmp_path: Path) -> None:
    environ = {
        **os.environ, "KGDB_HOME": str(tmp_path), "TERM": "dumb", "XDG_CONFIG_HOME": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }  # fmt: skip
    environ.pop("NEO4J_URI", None)
    shown = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(columns), *command],
            capture_output=True, text=True, timeout=120, check=True, env=environ,
        ).stdout
        for columns in (50, 1000)
    ]  # fmt: skip
    narrow, wide = (re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text) for text in shown)
    whole = set(wide.split())
    broken = [word for word in narrow.split() if word not in whole and re.search(r"\w", word)]
    # A table for which there is no room is a list, which says whose each cell is; a bar is cut.
    titles = {"option:", "takes:", "default:", "for:", "relation:", "triples:"}
    assert [word for word in broken if word not in titles and "…" not in word] == []
