"""FactKG's five kinds of reasoning, recognised from the words of a claim.

The published set names the kind of a claim, the copies that are passed around often do not. The
rules follow the definitions of FactKG (Kim et al., ACL 2023, section 3); how often they agree with
a reader is measured on ``benchmarks/factkg_kinds.toml``.
"""

from __future__ import annotations

import re
from typing import Literal

ClaimKind = Literal["One-hop", "Conjunction", "Existence", "Multi-hop", "Negation"]

_NEGATION = re.compile(
    r"\b(?:not|never|cannot|neither|nor|nobody|none|no longer)\b|n't\b"
    r"|^(?:no|nope)\b|\b(?:had|has|have|is|was|are|were|with) no\b",
    re.IGNORECASE,
)
# A claim in the form of a question, or one that ends in a role: it leaves the other end open.
_ASKS = re.compile(r"^(?:when|where|who|whom|what|which)\b", re.IGNORECASE)
_ROLE = re.compile(
    r"\b(?:has|had|have|having|with|was|is|were|are|got)\s+(?:\w+ly\s+)?"
    r"(?:a|an|the|some|his|her|its|their)\s+(?:[a-z-]+\s+){0,3}[a-z-]+\s*[.!?]*$"
)
_OPEN = re.compile(
    r"\b(?:someone|somebody|something|somewhere|anyone)\s*[.!?]*$"
    r"|\b(?:has|had|have|held|holds) (?:a|an|the|some) [a-z][\w ]*[.!?]*$",
    re.IGNORECASE,
)
# Something that is passed through without a name: not what X is said to be ("X is a city").
_UNNAMED = re.compile(
    r"\b(?:someone|somebody|something|a person|a man|a woman|people) (?:who|that|whose|born)\b"
    r"|(?:^|\b(?:in|by|from|at|near|for|to|that|heard|know) )(?:an?|some) (?!X)(?:[a-z-]+,? ){0,3}"
    r"[a-z-]+\b"
    r"|\b(?:was|is) a (?:person|city|country|place|state|company)\b"
    r"|^(?:[a-z']+,? ){0,3}(?:it|he|she|they)"
    r"(?: (?:is|was|has|had|are|were|stars|starred|falls|also)|'s) ",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\"[^\"]+\"|'[^']{3,}'|\b(?:[A-Z]|[0-9][0-9,.]*)[\w.'-]*"
    r"(?:(?:, | (?:(?:of|the|de|da|di|du|la|and|&) ){0,2})(?:[A-Z(]|[0-9])[\w.'-]*)*"
)
_JOINED = re.compile(
    r"\band (?:is|was|has|had|it|its|the|also|by|in|which|located|built)\b|, which "
)
_LISTED = re.compile(r"\w+, [\w ]+,? and \w+|, (?:born|located|built|led|operated|known)\b")
_NO_NAME = re.compile(
    r"^(?:I|Yes|Yeah|Yep|Well|Sure|Actually|Interestingly|Oh|So|And|But|The|A|An|It|He|She|His|Her|"
    r"Its|In|On|At|When|What|Where|Who|Was|Is|Are|Did|Do|If|Also|There|They|That|That's|Have|You|"
    r"One|No|Someone|Somebody|Something)(?:[,.!]? |$)"
)


def claim_kind(claim: str) -> ClaimKind:
    """The kind of a claim; the first rule that fits counts.

    Negation: it denies. Existence: it leaves open what one end of a relation is. Multi-hop: it
    passes through what it does not name. Conjunction: three names or more, or facts joined by
    *and*. One-hop: the rest.
    """
    text = " ".join(claim.split())
    if _NEGATION.search(text):
        return "Negation"
    names = _names(text)
    if len(names) <= 1 and (_ASKS.search(text) or _ROLE.search(text) or _OPEN.search(text)):
        return "Existence"
    if _UNNAMED.search(_without(text, names)):
        return "Multi-hop"
    if len(names) >= 3 or (len(names) == 2 and _JOINED.search(text)) or _LISTED.search(text):
        return "Conjunction"
    return "One-hop"


def _names(text: str) -> list[str]:
    """The names in a claim, as far as capitals, digits and quotes tell; a place with its country
    is one.
    """
    found = []
    for match in _NAME.finditer(text):
        name = match[0].strip(" ,.")
        while shorter := _NO_NAME.sub("", name, count=1):
            if shorter == name:
                break
            name = shorter
        alone = match.start() == 0 and " " not in name and text[len(name) : len(name) + 1] == " "
        if not _NO_NAME.match(name) and not (alone and name.isalpha() and name.islower()):
            found.append(name)
    return found


def _without(text: str, names: list[str]) -> str:
    """The claim with X for each name: its words are no words of the claim."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "X")
    return text
