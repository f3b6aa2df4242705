"""Results in which every text is hostile, and HTML as a browser reads it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from html.parser import HTMLParser

from scripted_method import answered

from kgdb.errors import ModelError
from kgdb.values import Answer, Entity, Path, QuestionReading, Stage, Step, Usage, Verdict

HOSTILE = (
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "\"><svg onload=document.title='hacked'>",
    "' autofocus onfocus=document.title='hacked' x='",
    "<!--<script>document.title='hacked'",
    "]]><style>*{display:none}</style>",
    "javascript:document.title='hacked'",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "$$\\href{javascript:document.title='hacked'}{x}$$",
    "@name{safe} &lt;b&gt; \u2028 \u0000 \ud800",
    "a\x1b[2J\x07\x7f\x9b2J\u202eb\u2066c",
)


@dataclass
class Parsed(HTMLParser):
    """The page as a browser would read its tags."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    drawings: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._inside: str | None = None
        self._drawn = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag not in ("b", "bdi", "i", "span"):
            self.text += " "
        if tag == "svg":
            self.drawings.append("")
        self._drawn = self._drawn or tag == "svg"
        if self._drawn:
            self.drawings[-1] += str(self.get_starttag_text())

    def handle_endtag(self, tag: str) -> None:
        self._inside = None
        self._drawn = self._drawn and tag != "svg"

    def handle_data(self, data: str) -> None:
        if self._drawn:
            self.drawings[-1] += data
        elif self._inside != "style":
            self.text += data


def parsed(html: str) -> Parsed:
    page = Parsed()
    page.feed(html)
    page.close()
    page.text = " ".join(page.text.split())
    return page


def hostile_results() -> list[Answer | Verdict]:
    """Results in which every text is hostile."""
    names = itertools.cycle(HOSTILE)

    def walk(name: str) -> Path:
        start, middle = Entity(f"a{name}", name), Entity(f"b{next(names)}", name)
        end = Entity(f"c{name}", next(names))
        return Path((start, middle, end), (Step(name), Step(next(names), reverse=True)))

    paths = tuple(walk(name) for name in HOSTILE)
    trace = tuple(
        Stage(n, {n: n, "of": [n, {n: [n]}], "long": f"{n}\n{n}"}, Usage()) for n in HOSTILE
    )
    trace += (thinking(*HOSTILE[:3]),)
    name = " ".join(HOSTILE)
    return [
        Answer(
            name, name, name, tuple(map(answered, paths)), text=name, interpretation=name,
            retrieved=paths, unsupported=HOSTILE, notes=HOSTILE, trace=trace,
            readings=tuple(QuestionReading(text, {}) for text in HOSTILE),
        ),
        Answer(name, name, name, reason=name),
        Answer(name, name, name, error=ModelError(name, hint=name)),
        Verdict(
            name, name, name, "SUPPORTED", reason=name, interpretation=name,
            supporting=paths[:3], opposing=paths[3:], retrieved=paths, notes=HOSTILE, trace=trace,
        ),
    ]  # fmt: skip


def thinking(*names: str) -> Stage:
    """A stage with the thought that a person of that name made what has an unknown maker."""
    film, maker, relation = names
    found = {"relation": relation, "count": 3, "facts": [[film, relation, maker]]}
    thought = {
        "nodes": [
            {"name": film, "entities": [film], "anchor": True},
            {"name": maker, "entities": [], "anchor": False},
        ],
        "edges": [
            {
                "source": 0,
                "target": 1,
                "type": "MADE_BY",
                "relations": [relation],
                "found": [found],
            },
            {"source": 1, "target": 0, "type": "LOVES", "relations": [], "found": []},
        ],
    }
    return Stage("retrieve", {"thought": thought, "drawn_by": "encoder"}, Usage())
