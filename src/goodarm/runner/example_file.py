"""Example file that ``goodarm run --init`` writes: it runs as it is, and says how to change it."""

from pathlib import Path
from typing import Final

from goodarm.errors import SpecError

EXAMPLE: Final = '''\
# Which of these coins show heads in at least 60 % of all throws?
#
#     goodarm run {name}
#
# throws them until this is proven or disproven for each of them. Press Ctrl-C to stop; the same
# command continues. The page "Run an experiment" of the docs lists all settings.

arms = ["brass", "copper", "tin"]
threshold = 0.6
delta = 0.05          # the chance you accept that any label is wrong
max_pulls = 2000      # arms without a proof by then stay undecided
# cases = "cases.txt" # a fixed set of cases, one per line; use {{case}} below

[reward]
# A pull is a success if this command ends with exit code 0. It runs without a shell. {{arm}} is
# replaced by the arm, which is also in the environment variable GOODARM_ARM. Any other exit code is
# a failure of the arm, a crash too. To stop at a crash, print 1 or 0 and add: result = "number"
command = ["{{python}}", "-S", "-c", """
import random, sys
heads = {"brass": 0.9, "copper": 0.8, "tin": 0.3}
sys.exit(random.random() >= heads[sys.argv[1]])
""", "{{arm}}"]
timeout = 10            # seconds; then the command is stopped
on_timeout = "failure"  # or "lost", which counts as the worst case for either label
'''


def write_example(path: Path) -> None:
    """Write the example file; raise an error if the path exists."""
    text = EXAMPLE.replace("{name}", path.name).replace("{{", "{").replace("}}", "}")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SpecError(
            f"The file {str(path)!r} already exists. It was not changed.",
            argument="FILE",
            owner="run",
            rule="be a file that is not there yet",
            value=str(path),
            remedy="Choose another name: goodarm run --init other.toml.",
        ) from None
