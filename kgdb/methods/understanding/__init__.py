"""Understanding a question without a language model: from its words to a logical form."""

from kgdb.methods.understanding.answering import (
    abstains,
    answer_by_form,
    answer_joined,
    answer_operators,
    answer_qualifiers,
    has_readable_schema,
    is_unknown_language,
    note_operators,
)
from kgdb.methods.understanding.parsing import understand
from kgdb.methods.understanding.reading import Understood
from kgdb.methods.understanding.second_question import second_question
from kgdb.methods.understanding.verifying import verify_by_form

__all__ = [
    "Understood",
    "abstains",
    "answer_by_form",
    "answer_joined",
    "answer_operators",
    "answer_qualifiers",
    "has_readable_schema",
    "is_unknown_language",
    "note_operators",
    "second_question",
    "understand",
    "verify_by_form",
]
