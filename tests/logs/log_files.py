"""What the tests of readers share."""

from pathlib import Path

import goodarm as ga

DATA = Path(__file__).parents[1] / "data"


def counts(table):
    """{arm: (pulls, successes)}, the names of the module left out."""
    rows = zip(table.arms, table.pulls.tolist(), table.successes.tolist(), strict=True)
    return {arm.removeprefix("test_shop."): (pulls, good) for arm, pulls, good in rows}


def read(*names, **options):
    """The counts of files under tests/data."""
    return counts(ga.read_logs([DATA / name for name in names], **options))


def cases(*inner, suite='<testsuite name="shop">'):
    """A JUnit report with these test cases."""
    return f"<testsuites>{suite}{''.join(inner)}</testsuite></testsuites>"


def case(name, inner="", **attributes):
    """A test case of it."""
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<testcase classname="t" name="{name}"{more}>{inner}</testcase>'
