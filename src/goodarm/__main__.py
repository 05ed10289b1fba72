"""``python -m goodarm`` is the ``goodarm`` command."""

from goodarm.cli import main

main()
