"""The outermost element of an XML text, by its first characters."""

from __future__ import annotations

import re

# Possessive: a file of comments has very many other ways to be divided into them.
_ROOT = re.compile(
    r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE\s+(?P<doctype>[\w:.-]+)(?:[^\[>]|\[.*?\]\s*(?=>))*>\s*)*+"
    r"<(?:[A-Za-z_][\w.-]*:)?(?P<root>[A-Za-z_][\w.-]*)(?=[\s/>])",
    re.DOTALL | re.IGNORECASE,
)
_HTML = frozenset({"html", "head", "body"})


def xml_root(text: str) -> str | None:
    """The name of the outermost element without its prefix; ``None`` if the text is not XML.

    Pages of HTML count as XML with the root ``html``.
    """
    match = _ROOT.match(text)
    if not match:
        return None
    root = match["root"]
    if root.lower() in _HTML or (match["doctype"] or "").lower() == "html":
        return "html"
    # An N-Triples line begins with an IRI in angle brackets: <a:b> is none of XML's usual roots.
    return root if match["doctype"] or "</" in text or "<?xml" in text or "/>" in text else None
