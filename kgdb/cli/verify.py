"""``kgdb verify``."""

from __future__ import annotations

from kgdb.cli.ask_command import AskCommand, make_command

_HELP = """Judge for each CLAIM whether the graph supports it, refutes it or cannot decide.

Several claims are judged together, which is faster; with --json each verdict is one line.

Exit code 0 means that every claim is SUPPORTED or REFUTED, 3 that for one there is NOT ENOUGH
EVIDENCE, 1 that one failed because of the model or the database.
"""

verify_command = make_command(
    AskCommand(
        "verify",
        kind="claim",
        ask=lambda reasoner: reasoner.verdicts,
        help=_HELP,
        limit_help="Facts printed for a claim, and against it.",
        example='kgdb verify "Ruben Okonjo-Hale directed The Tuesday Engine." --graph demo',
    )
)
