"""``python -m kgdb``: the ``kgdb`` command."""

from kgdb.cli.main import main

main()
