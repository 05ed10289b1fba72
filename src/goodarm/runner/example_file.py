"""Example file that ``goodarm run --init`` writes: it runs as it is, and says how to change it."""

from pathlib import Path
from typing import Final

from goodarm.errors import SpecError

EXAMPLE: Final = '''\
# Which of these coins show heads in at least 60 % of all throws?
#
#     goodarm run {name}
#
# throws them until that is proven, or disproven, for each. Ctrl-C ends it, and the same command
# goes on. All that may stand here is listed on the page "Run an experiment" of the docs.

arms = ["brass", "copper", "tin"]
threshold = 0.6
delta = 0.05          # the probability allowed for any wrong label
max_pulls = 2000      # what is not proven by then stays undecided
# cases = "cases.txt" # a fixed set of cases, a line each, which {{case}} stands for below

[reward]
# A pull is a success if this ends with exit code 0. The words go to the program as they are; no
# shell reads them. It finds the arm in the variable GOODARM_ARM too.
command = ["{{python}}", "-S", "-c", """
import random, sys
heads = {"brass": 0.9, "copper": 0.8, "tin": 0.3}
sys.exit(random.random() >= heads[sys.argv[1]])
""", "{{arm}}"]
timeout = 10            # seconds; then it is ended, with all that it has started
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
            f"There is a file {str(path)!r} already, and it stays as it is.",
            argument="FILE",
            owner="run",
            rule="be a file that is not there yet",
            value=str(path),
            remedy="Name another one: goodarm run --init other.toml.",
        ) from None
