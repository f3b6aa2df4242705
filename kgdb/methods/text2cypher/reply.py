"""The query in the reply of a language model: what models put around it is taken off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from kgdb.language.text.replies import spoken

_FENCE = re.compile(r"^[ \t>]*```[ \t]*([\w-]*)[^\S\n]*", re.MULTILINE)
_FENCE_END = "```"

_CLAUSES = (
    "MATCH|OPTIONAL MATCH|WHERE|WITH|UNWIND|RETURN|ORDER BY|SKIP|LIMIT|UNION|CALL|CREATE|MERGE|"
    "DELETE|DETACH DELETE|SET|REMOVE|FOREACH|LOAD CSV|DROP|SHOW|USE|EXPLAIN|PROFILE|ALTER|GRANT"
)
_BEGIN = re.compile(
    # The start of a line, perhaps with a list's mark, and a heading such as "Answer:".
    r"(?m)^[ \t>*#-]*+(?:\d+[.)][ \t]+)?(?:[*_]*[A-Za-z][A-Za-z ]{0,40}[*_]*:[*_]*[ \t]*+)?"
    r"(`?)[ \t]*+"
    rf"((?:{_CLAUSES})\b"
    # In lower case these are words of English, too.
    r"|(?i:(?:optional[ \t]+)?match[ \t\n]*\(|match[ \t]+\w+[ \t]*=|unwind[ \t]+[\[\w]"
    r"|(?:merge|create)[ \t]*\(|load[ \t]+csv\b|detach[ \t]+delete\b|call[ \t]+[\w.]+[ \t]*\())"
)
_AMID_PROSE = re.compile(r"(`?)((?:OPTIONAL MATCH|MATCH|CREATE|MERGE)[ \t]*\()")
_GOES_ON = re.compile(
    rf"\s*(?:(?i:{_CLAUSES}|AND|OR|XOR|NOT|AS|ASC|DESC|THEN|WHEN|ELSE|END|IN)\b|[,.+*/%=<>|)\]}}&-]|//|/\*)"
)
_RETURN = re.compile(r"(?i)\bRETURN\b")
_OPEN_END = re.compile(
    r"(?i)(?:[,+*/%=<>|(\[{&-]|\b(?:AND|OR|NOT|BY|RETURN|AS|DISTINCT|IN|UNION|ALL))$"
)
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`[^`\n]*`|//[^\n]*")


def query_in(reply: str) -> str | None:
    """The query, or ``None`` where the reply has none or is too long.

    Of several fenced queries it is the first. What follows a query as prose is left out; a second
    statement is not, so that the database refuses both.
    """
    text = spoken(reply)
    if text is None:
        return None
    if (inner := _in_json(text)) is not None:
        text = inner
    for block in _fenced(text):
        if (query := _unfenced(block)) is not None:
            return query
    return _unfenced(text)


def _in_json(text: str) -> str | None:
    """The query that is the value of a JSON object."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    texts = [each for each in value.values() if isinstance(each, str)]
    return next((each for each in texts if _BEGIN.search(each)), None)


def _fenced(text: str) -> Iterator[str]:
    begin = 0
    while (fence := _FENCE.search(text, begin)) is not None:
        end = text.find(_FENCE_END, fence.end())
        end = len(text) if end < 0 else end
        yield text[fence.end() : end]
        begin = end + len(_FENCE_END)


def _unfenced(text: str) -> str | None:
    begin = _BEGIN.search(text) or _AMID_PROSE.search(text)
    if begin is None:
        return None
    query = text[begin.start(2) :]
    if begin[1]:
        query = _before_backtick(query)
    return _before_prose(query).strip() or None


def _before_backtick(query: str) -> str:
    """What stands before the backtick that closes the query; names in it may have some, too."""
    end = query.rfind("`") if query.count("`") % 2 else len(query)
    return query[:end]


def _before_prose(query: str) -> str:
    """The lines that belong to the query: after what it returns, those that go on with it."""
    kept: list[str] = []
    depth, returns = 0, False
    for line in query.split("\n"):
        ends = returns and depth <= 0 and kept and not _OPEN_END.search(_bare(kept[-1]).rstrip())
        if ends and line.strip() and not _GOES_ON.match(line):
            break
        bare = _bare(line)
        if (semicolon := bare.find(";")) >= 0 and depth <= 0:
            after = line[semicolon + 1 :]
            if after.strip() and not _GOES_ON.match(after):
                return "\n".join([*kept, line[: semicolon + 1]])
        depth += sum(_BRACKETS.get(character, 0) for character in bare)
        returns = returns or bool(_RETURN.search(bare))
        kept.append(line)
    return "\n".join(kept)


def _bare(line: str) -> str:
    """The line with spaces in the places of texts, quoted names and comments."""
    return _TEXT.sub(lambda found: " " * len(found[0]), line)
