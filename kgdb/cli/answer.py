"""``kgdb answer``."""

from __future__ import annotations

from kgdb.cli.ask_command import AskCommand, make_command
from kgdb.cli.method_options import (
    form_option,
    list_option,
    methods_option,
    thought_option,
    unsupported_option,
)

_HELP = """Answer each QUESTION from a graph, with the paths that prove each answer.

Several questions are answered together, which is faster; with --json each answer is one line.
Put a name in [brackets] if kgdb does not recognize it as a name.

Several methods are shown beside each other, with what each found and spent, and how many of its
answers the others give as well. An option of --set is then for every method that has it.

Exit code 3 means that a question has no answer; the reason is printed. Exit code 1 means that a
question failed because of the model or the database; the others are answered nevertheless.
"""

answer_command = make_command(
    AskCommand(
        "answer",
        kind="question",
        ask=lambda reasoner: reasoner.answers,
        help=_HELP,
        limit_help="Answers printed.",
        example='kgdb answer "Who directed the films that Ada Weir acted in?" --graph demo',
        method=methods_option,
        options=(list_option, form_option, unsupported_option, thought_option),
    )
)
