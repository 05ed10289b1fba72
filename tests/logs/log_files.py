"""What the tests of readers share."""

from pathlib import Path

import goodarm as ga

DATA = Path(__file__).parents[1] / "data"


def counts_by_test(table):
    """{arm: (pulls, successes)}, the names of the module left out."""
    rows = zip(table.arms, table.pulls.tolist(), table.successes.tolist(), strict=True)
    return {arm.removeprefix("test_shop."): (pulls, good) for arm, pulls, good in rows}


def read_counts(*names, **options):
    """The counts of files under tests/data."""
    return counts_by_test(ga.read_logs([DATA / name for name in names], **options))


def make_report(*inner, suite='<testsuite name="shop">'):
    """A JUnit report with these test cases."""
    return f"<testsuites>{suite}{''.join(inner)}</testsuite></testsuites>"


def make_case(name, inner="", **attributes):
    """A test case of it."""
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<testcase classname="t" name="{name}"{more}>{inner}</testcase>'
