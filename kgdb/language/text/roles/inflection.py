"""Forms of English words made from others: *directed* gives *direct*, *movie* gives *movies*.

The rules are those of spelling; of irregular verbs a table knows the forms. A form that is wrong
(*benefitted*) reads badly and means the same.
"""

from __future__ import annotations

import re

from kgdb.language.text.roles.forms import irregular_verbs

_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"}

# Regular stems behind which a base form has an e: manag(ed), creat(ed), produc(ed), compos(ed).
_WITH_E = re.compile(
    r"(?:[cuvz]|[^s]s|[^aeiou]l|[dr]g|[ae]ng|ag|ib|[iu]r|[^ae]at|[iu]d|"
    r"[^aeiou]ut|[^aeiou]it|[^ao]in|[iu]k)$"
)
_NO_E = re.compile(
    r"(?:visit|edit|limit|exhibit|inhabit|join|train|contain|maintain|explain|suit)$"
)


def base_of(finite: str) -> str:
    """The base form of a verb in the past or the third person: *direct* of *directed*."""
    for base, forms in irregular_verbs().items():
        if finite in forms:
            return base
    if finite.endswith("ied") or finite.endswith("ies"):
        return finite[:-3] + "y"
    if finite.endswith("ed") and len(finite) > 3:
        return _base_of_stem(finite[:-2])
    if re.search(r"(?:ch|sh|x|ss|zz)es$", finite):
        return finite[:-2]
    return finite[:-1] if re.search(r"[^s]s$", finite) else finite


def _base_of_stem(stem: str) -> str:
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    if _WITH_E.search(stem) and not _NO_E.search(stem):
        return stem + "e"
    return stem


def past_of(participle: str) -> str:
    """The past tense of a verb by its participle: *wrote* of *written*."""
    for forms in irregular_verbs().values():
        if participle in forms:
            return forms[0]
    return participle


def participle_of(finite: str) -> str:
    """The participle of a verb in the past or the third person: *written* of *wrote*."""
    base = base_of(finite)
    if forms := irregular_verbs().get(base):
        return next((form for form in forms if form.endswith("n")), forms[-1])
    if finite.endswith("ed"):
        return finite
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if re.search(r"[^aeiou]y$", base) else base + "ed"


def plural_of(noun: str) -> str:
    """The plural of a noun, or of the last word of several."""
    *before, last = noun.split(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif last in _PLURALS.values() or re.search(r"[^s]s$", last):
        pass
    elif re.search(r"(?:s|x|z|ch|sh)$", last):
        last += "es"
    elif re.search(r"[^aeiou]y$", last):
        last = last[:-1] + "ies"
    else:
        last += "s"
    return " ".join([*before, last])
