"""A text cut into sentences with their places, and which of them are claims.

What is no sentence (headings, tables, code) and no claim (questions, requests) is kept: a pronoun
behind it may mean what it names. Where it is not clear that a sentence ends, it goes on: two
sentences that are judged together must both hold, while half a sentence may say what the whole
does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgdb.language.text.roles.forms import irregular_verbs


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at its place in the text; ``words`` are it on one line, without markup."""

    start: int
    end: int
    words: str
    is_claim: bool


_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|$)")
_QUOTED = re.compile(r"(?:\s*>)*\s*")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_RULE = re.compile(r"(?:=+|-{3,}|\*{3,}|_{3,})\s*$")
_HEADING = re.compile(r"#{1,6}\s")
_ROW = re.compile(r"\||.* \| |[-:| ]*-\|[-:| ]*$")
_ITEM = re.compile(r"(?:[-*+•–]|\d{1,3}[.)]|\(?[a-z\d]\))\s+(?:\[[ xX]\]\s+)?")

# "**Dune**: It was …" begins with a heading, unless that says that what follows is wrong.
_LABEL = re.compile(r"\*\*(?P<label>[^*:\r\n]{1,100})(?:\*\*[:：]|[:：]\*\*|\*\* [–—-])\s+(?=\S)")
_DENIES = re.compile(
    r"(?i)\b(?:not|no|never|un\w+|in(?:correct|accurate)|wrong|false\w*|myths?|fiction\w*|errors?|"
    r"mistakes?|misconceptions?|misinformation|jokes?|lies?|rumou?rs?|claims?|alleg\w+|suppos\w+)\b"
)

_CLOSERS = r"(?:[\"'”’»」』）)*_~`]|\[\^?\d{1,3}\])*"
_END = re.compile(rf"(?P<mark>[.!?…]+|[。！？]+)(?P<closers>{_CLOSERS})")
_NEXT = re.compile(r"[\s>]*[\"'“‘«「『（(*_`\[]*")
_QUOTES = re.compile(
    r'(?<!\w)"[^"]{1,800}"(?!\w)|“[^”]{1,800}”|«[^»]{1,800}»|「[^」]{1,800}」|\([^()]{1,800}\)'
)
_WORD_BEFORE = re.compile(r"[\w.&'’-]*$")

# Never at the end of a sentence; only before a number; perhaps at its end.
_TITLES = frozenset(
    "dr mr mrs ms prof gen col capt lt sgt rev hon gov vs e.g i.e cf approx".split()
)
_NUMBERED = frozenset("no nos vol fig figs pp p ch sec art".split())
_ABBREVIATED = frozenset(
    "st jr sr inc ltd co corp etc mt ft ave rd bros dept univ est ca c al sen rep pres "
    "jan feb mar apr jun jul aug sep sept oct nov dec ed eds".split()
)
_DOTTED = re.compile(r"[A-Z]|(?:[A-Za-z]{1,3}\.)+[A-Za-z]{1,2}")
_OPENERS = re.compile(
    r"(?:The|An?|He|She|It|They|We|You|His|Her|Its|Their|This|That|These|Those|There|In|On|At|"
    r"After|Before|During|By|For|From|With|As|When|While|However|But|And|Both|Later)\b"
)
_REQUEST = re.compile(
    r"(?:Please|Let's|Don't|Do not)\b|(?:Note|See|Consider|Remember|Imagine|Let|Check|Ask|Tell|"
    r"Visit|Read|Look|Compare|Think|Keep|Make|Take|Try|Use|Watch|Click|Go|Give|Find)"
    r"(?= (?!that\b|(?:the|an?) [A-Z])[a-z])"
)
_LEAD = re.compile(
    r"(?:(?:Please )?(?:note|remember|recall|(?:keep|bear) in mind) that |(?:and|but) |"
    r"(?:however|moreover|furthermore|additionally|in addition|besides|also|indeed|in fact|notably|"
    r"finally|lastly|first|firstly|second|secondly|for example|for instance|therefore|thus|hence|"
    r"consequently|similarly|likewise|instead|overall|in short|in summary|in conclusion), )+",
    re.IGNORECASE,
)
_PAST = "|".join(sorted({form for forms in irregular_verbs().values() for form in forms}))
_ALSO = re.compile(rf"(?<!not)(?<!n't)(?<!but)(?<!only) also (?=(?:[a-z]+(?:ed|s)|{_PAST})\b)")
_VERB = (
    r"(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|"
    rf"isn't|wasn't|aren't|weren't|[a-z]+ed|{_PAST})\b"
)
_SAYS = re.compile(rf"\b{_VERB}|[A-Z][\w.'’-]* [a-z]+s\b|[是有由于了在]")

# Words that may say something of both clauses: half of such a sentence is no claim.
_GOVERNS = re.compile(
    r"(?i)\b(?:if|whether|unless|either|neither|n?or|because|although|though|while|when|that|who|"
    r"which|where|until|so|sa(?:y|ys|id|ying)|accord\w+|\w+ly|suppos\w+|assum\w+|imagine|pretend|"
    r"perhaps|maybe|not|no|nobody|never|false\w*|untrue|myth|fiction\w*|could|would|may|might|must|"
    r"should|will|respectively|both|together|only|each)\b|n't\b|[:?\"“]"
)
_BEGINS_WITH_ADJUNCT = re.compile(
    r"(?:In|On|At|During|After|Before|By|For|From|With|Without|Since|Under|Through|Among|Of|To|As)\b"
)
_JOINT = re.compile(r";\s+|,\s+(?:and|but)\s+")
_NAME = r"[A-Z][\w.'’-]*(?: (?:(?:of|the|in|a|de|van|von|to) )*[A-Z][\w.'’-]*)*"
# A subject, one verb, and none behind it that could make the first say something of another.
_CLAUSE = re.compile(
    rf"(?:(?:The|the|An?|an?) [a-z]+|(?:[Tt]he [a-z]+ )?{_NAME}|[Hh]e|[Ss]he|[Ii]t|[Tt]hey) "
    rf"{_VERB}(?: also)?(?: (?:[a-z]+ed|{_PAST})\b)?(?:(?!\b{_VERB}).)*"
)


def cut(text: str) -> list[Sentence]:
    """The sentences of a text, or clauses that are claims by themselves, in their order."""
    return [sentence for block in _blocks(text) for sentence in _sentences(text, *block)]


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Paragraphs and list items, and line by line what has no claims: start, end, which it is."""
    begin = end = 0
    fence = ""
    for line in _LINE.finditer(text):
        quoted = _QUOTED.match(text, line.start(), line.end(1))
        at = quoted.end() if quoted else line.start()
        content = text[at : line.end(1)].rstrip()
        fenced = _FENCE.match(content)
        none = bool(fence or fenced or _HEADING.match(content) or _ROW.match(content))
        if fenced and content.startswith(fence):
            fence = "" if fence else fenced[1]
        under = bool(_RULE.match(content)) and not none
        item = None if none or under else _ITEM.match(content)
        if begin < end and (none or under or item or not content):
            # A line of = or - makes a heading of the one line over it.
            heads = under and content[0] in "=-" and "\n" not in text[begin:end].replace("\r", "\n")
            yield begin, end, not heads
            begin = end
        if not content or under:
            begin = end
        elif none:
            yield at, at + len(content), False
            begin = end = at + len(content)
        else:
            begin = begin if begin < end else at + (item.end() if item else 0)
            end = at + len(content)
    if begin < end:
        yield begin, end, True


def _sentences(text: str, start: int, end: int, claims: bool) -> Iterator[Sentence]:
    if not claims:
        yield Sentence(start, end, _plain(text[start:end]), is_claim=False)
        return
    label = _LABEL.match(text, start, end)
    if label and not _DENIES.search(label["label"]):
        yield Sentence(*label.span("label"), _plain(label["label"]), is_claim=False)
        start = label.end()
    block = text[start:end]
    inside = [found.span() for found in _QUOTES.finditer(block)]
    begin = 0
    for found in _END.finditer(block):
        while inside and inside[0][1] < found.end():
            inside.pop(0)
        within = inside and inside[0][0] < found.start() and found.end() < inside[0][1]
        after = _NEXT.match(block, found.end())
        following = after.end() if after else found.end()
        if not within and _is_end(block, begin, found, following):
            yield from _claims(text, start + begin, start + found.end())
            spaces = re.compile(r"[\s>]*").match(block, found.end())
            begin = spaces.end() if spaces else found.end()
    if block[begin:].strip():
        yield from _claims(text, start + begin, end)


def _is_end(  # noqa: PLR0911 - one return for each kind of mark
    block: str, begin: int, found: re.Match[str], following: int
) -> bool:
    """Whether a sentence ends by these marks; ``following`` is where the next word begins."""
    mark, ends = found["mark"], found.end()
    if following >= len(block):
        return True
    if mark[0] in "。！？":
        return not set(found["closers"]) & set("”’」』")
    upcoming = block[following]
    if not block[ends].isspace() or upcoming.islower():
        return False
    if "!" in mark or "?" in mark:
        return True
    opens = _OPENERS.match(block, following) is not None
    if len(mark) > 1 or mark == "…":
        return opens
    before = _WORD_BEFORE.search(block, max(begin, found.start() - 40), found.start())
    word = before[0] if before else ""
    if word.lower() in _TITLES:
        return False
    if word.lower() in _NUMBERED:
        return not upcoming.isdigit()
    if word.lower() in _ABBREVIATED or _DOTTED.fullmatch(word):
        return opens
    return True


def _claims(text: str, start: int, end: int) -> Iterator[Sentence]:
    """A sentence, or its clauses where each says what the sentence says of it."""
    raw = text[start:end]
    words = _plain(raw)
    if not _is_claim(words):
        yield Sentence(start, end, words, is_claim=False)
        return
    begin = 0
    if not _GOVERNS.search(words) and not _BEGINS_WITH_ADJUNCT.match(words):
        joints = [*_JOINT.finditer(raw)]
        ends = [*(joint.start() for joint in joints[1:]), len(raw)]
        for joint, stop in zip(joints, ends, strict=False):
            left = _bare_claim(_plain(raw[begin : joint.start()]))
            right = _bare_claim(_plain(raw[joint.end() : stop]))
            if _CLAUSE.fullmatch(left) and _CLAUSE.fullmatch(right):
                yield Sentence(start + begin, start + joint.start(), left, is_claim=True)
                begin = joint.end()
    yield Sentence(start + begin, end, _bare_claim(_plain(raw[begin:])), is_claim=True)


def _is_claim(words: str) -> bool:
    bare = words.rstrip("\"'”’»」』)）")
    if not re.search(r"\w", words) or bare.endswith((":", "：")) or _REQUEST.match(words):
        return False
    if re.search(r"[?？][!?！？]*$", bare):
        return bare != words and words[0] not in "\"'“‘«「『(（"
    # Without a mark at its end it may be a heading, or an entry of a list.
    return bare.endswith((".", "!", "…", "。", "！")) or _SAYS.search(words) is not None


def _bare_claim(words: str) -> str:
    """The claim without what joins it to the sentence before: *However, Ada also directed …*."""
    words = _ALSO.sub(" ", words)
    lead = _LEAD.match(words)
    rest = words[lead.end() :] if lead else words
    return rest[:1].upper() + rest[1:] if lead else rest


def _plain(raw: str) -> str:
    """A sentence on one line, without the markup of emphasis, links, footnotes and quotations."""
    flat = re.sub(r"[\r\n]+(?:\s*>)*|^#+\s", " ", raw)
    flat = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", flat)
    flat = re.sub(r"~~.*?~~|\[\^?\d{1,3}\]|[*`]+|(?<!\w)_+|_+(?!\w)", "", flat)
    return " ".join(flat.split())
