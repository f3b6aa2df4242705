"""``kgdb verify --text``: the claims of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from kgdb.cli.ask_together import Stages
from kgdb.cli.console import print_json
from kgdb.cli.showing import show_text
from kgdb.errors import UsageError
from kgdb.methods import Reasoner
from kgdb.methods.claims_of_text import MAX_BYTES, judge_text, sentences_with_claims, too_long
from kgdb.methods.claims_of_text.sentence_cutting import Sentence
from kgdb.values import Verdict

Document = tuple[str, Sequence[Sentence]]


def text_of(file: BinaryIO) -> Document:
    """The text of a file, and its sentences.

    Its line ends stay as they are, so that places count what the file has.
    """
    content = file.read(MAX_BYTES + 4)  # a byte order mark does not count
    if len(content) > MAX_BYTES + 3:
        raise too_long()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file.name} is not UTF-8 text: {error.reason}.") from error
    return text, sentences_with_claims(text)


def judge_document(
    reasoner: Reasoner,
    document: Document,
    stages: Stages,
    limit: int,
    *,
    explain: bool,
    as_json: bool,
) -> list[Verdict]:
    """Print the verdicts on the claims of a text."""
    text, sentences = document
    with stages.running(sum(sentence.is_claim for sentence in sentences)):
        result = judge_text(reasoner, text, sentences)
    if as_json:
        print_json(result.to_dict(), lines=True)
    else:
        show_text(result, limit, explain=explain)
    return [claim.verdict for claim in result.claims]
