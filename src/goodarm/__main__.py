"""Entry point of ``python -m goodarm``, which is the ``goodarm`` command."""

from goodarm.cli import main

main()
