"""Flaky tests: which tests of a suite pass at least nine times in ten? A gate for CI.

``flaky_tests.py reports/*.xml`` reads JUnit XML files, one for each run of the suite;
without files, 100 runs are made up. Exit code: 0 all good, 1 some bad, 3 otherwise.
"""

import random
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import goodarm as ga
from goodarm.views.figures.arms import save_arms


def make_up_reports(folder, luck):
    rates = {"login": 1, "search": 0.99, "upload": 0.97, "export": 0.9, "sync": 0.7, "mail": 0.5}
    for path in [folder / f"run-{run}.xml" for run in range(100)]:
        suite = ElementTree.Element("testsuite")
        for name, rate in rates.items():
            case = ElementTree.SubElement(suite, "testcase", classname="app", name=name)
            case.extend([ElementTree.Element("failure")] if luck.random() >= rate else [])
        path.write_bytes(ElementTree.tostring(suite))
        yield path


passes = {}  # test: True or False for each run
with tempfile.TemporaryDirectory() as folder:
    for path in sys.argv[1:] or make_up_reports(Path(folder), random.Random(1)):
        for case in ElementTree.parse(path).iter("testcase"):
            if case.find("skipped") is None:
                passed = not {"failure", "error"} & {child.tag for child in case}
                passes.setdefault(f"{case.get('classname')}.{case.get('name')}", []).append(passed)

table = ga.check(passes, threshold=0.9, delta=0.05, raw=True)
print(table)
save_arms(table, Path("example-flaky_tests.png"))
sys.exit(1 if table.bad else 3 if table.undecided else 0)
