"""A reader of your own, one function from a file to attempts: for TAP, the Test Anything Protocol.

Pass the function as the format, or give it a name in your package's pyproject.toml, for
``ga.read_logs(paths, format="tap")`` and ``goodarm check PATHS --from tap`` wherever the package is
installed:

    [project.entry-points."goodarm.readers"]
    tap = "my_package:read_tap"
"""

import re
import tempfile
from pathlib import Path

import goodarm as ga
from goodarm.logs import Attempt

LINE = re.compile(r"(?P<failed>not )?ok \d+ - (?P<name>[^#]+?)\s*(?P<skip># SKIP.*)?")


def read_tap(path, options):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if found := LINE.fullmatch(line.rstrip("\n")):
            outcome = "skip" if found["skip"] else "fail" if found["failed"] else "pass"
            yield Attempt({"test": found["name"]}, outcome, key=found["name"], number=number)


with tempfile.TemporaryDirectory() as folder:
    for run in range(60):
        lines = ["ok 1 - login", f"{'not ' * (run % 3 > 0)}ok 2 - upload", "ok 3 - print # SKIP"]
        (Path(folder) / f"{run}.tap").write_text("\n".join([f"# run {run}", "1..3", *lines]))
    table = ga.read_logs(f"{folder}/*.tap", format=read_tap)

print(table)
print(ga.check(table, threshold=0.8, delta=0.05).summary)
