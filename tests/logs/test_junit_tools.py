"""JUnit XML as other tools write it. Each report is made by hand, after the tool's own format."""

import pytest

import goodarm as ga
from logs.log_files import counts_by_test

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="4" failures="1" disabled="1" skipped="1" hostname=""
    time="1" timestamp="2026-11-16T22:13:31">
  <testcase name="t1" classname="t1" time="0.01" status="run"><system-out>ok</system-out></testcase>
  <testcase name="t2" classname="t2" time="0" status="disabled"><properties/>
    <system-out>Disabled</system-out></testcase>
  <testcase name="t3" classname="t3" time="0.01" status="fail"><failure message=""/></testcase>
  <testcase name="t4" classname="t4" time="0" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""

GRADLE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="shop.PayTest" tests="3" skipped="1" failures="1" errors="0"
    timestamp="2026-11-16T22:13:31.322Z" hostname="ci" time="0.05">
  <properties/>
  <testcase name="card()" classname="shop.PayTest" time="0.02"/>
  <testcase name="cash()" classname="shop.PayTest" time="0.02">
    <failure message="expected: 1" type="org.opentest4j.AssertionFailedError">at shop</failure>
  </testcase>
  <testcase name="cheque()" classname="shop.PayTest" time="0.0"><skipped/></testcase>
  <system-out><![CDATA[paid
]]></system-out>
  <system-err><![CDATA[]]></system-err>
</testsuite>"""

JEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="4" failures="1" errors="1" time="1.2">
  <testsuite name="cart" errors="0" failures="1" skipped="1" timestamp="2026-11-16T22:13:31"
      time="0.6" tests="3">
    <testcase classname="cart adds" name="cart adds" time="0.003"></testcase>
    <testcase classname="cart pays" name="cart pays" time="0.004">
      <failure>Error: expect(received).toBe(expected)</failure></testcase>
    <testcase classname="cart prints" name="cart prints" time="0"><skipped/></testcase>
  </testsuite>
  <testsuite name="broken.test.js" errors="1" failures="0" skipped="0"
      timestamp="2026-11-16T22:13:31" time="0.1" tests="1">
    <testcase classname="Test suite failed to run" name="broken.test.js" time="0">
      <error>SyntaxError</error></testcase>
  </testsuite>
</testsuites>"""

GOTESTSUM = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="0" time="0.412">
  <testsuite tests="3" failures="1" time="0.412" name="example.com/shop" timestamp="2026-11-16">
    <properties><property name="go.version" value="go1.25 linux/amd64"></property></properties>
    <testcase classname="example.com/shop" name="TestPay/card" time="0.010"></testcase>
    <testcase classname="example.com/shop" name="TestPay" time="0.020">
      <failure message="Failed" type="">=== RUN   TestPay</failure></testcase>
    <testcase classname="example.com/shop" name="TestPrint" time="0.000">
      <skipped message="no printer"></skipped></testcase>
  </testsuite>
</testsuites>"""

PLAYWRIGHT = """<testsuites id="" name="" tests="4" failures="1" skipped="1" errors="0" time="3">
<testsuite name="pay.spec.ts" timestamp="2026-11-16T22:13:31.322Z" hostname="chromium" tests="2"
    failures="0" skipped="0" time="1.5" errors="0">
<testcase name="pay &#8250; card" classname="pay.spec.ts" time="0.7">
</testcase>
<testcase name="pay &#8250; cash" classname="pay.spec.ts" time="0.8">
</testcase>
</testsuite>
<testsuite name="pay.spec.ts" timestamp="2026-11-16T22:13:31.322Z" hostname="firefox" tests="2"
    failures="1" skipped="1" time="1.5" errors="0">
<testcase name="pay &#8250; card" classname="pay.spec.ts" time="0.7">
<failure message="pay.spec.ts:3:5 card" type="FAILURE"><![CDATA[Error]]></failure>
<system-out><![CDATA[[[ATTACHMENT|test-failed-1.png]]]]></system-out>
</testcase>
<testcase name="pay &#8250; cash" classname="pay.spec.ts" time="0"><properties>
<property name="skip" value=""></property></properties><skipped></skipped>
</testcase>
</testsuite>
</testsuites>"""

BAZEL = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="shop/pay_test" tests="1" failures="0" errors="{errors}">
    <testcase name="shop/pay_test" status="run" duration="2" time="2">{error}</testcase>
    <system-out>Generated test.log</system-out>
  </testsuite>
</testsuites>"""

ROBOT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Shop" tests="3" errors="0" failures="1" skipped="1" time="0.05"
    timestamp="2026-11-16T22:13:31.322000">
  <testsuite name="Pay" tests="3" errors="0" failures="1" skipped="1" time="0.03"
      timestamp="2026-11-16T22:13:31.330000">
    <testcase classname="Shop.Pay" name="Card" time="0.01"></testcase>
    <testcase classname="Shop.Pay" name="Cash" time="0.01">
      <failure message="1 != 2" type="AssertionError"/></testcase>
    <testcase classname="Shop.Pay" name="Cheque" time="0.00">
      <skipped message="later" type="SkipExecution"/></testcase>
    <properties><property name="Version" value="1"/></properties>
  </testsuite>
</testsuite>"""


@pytest.mark.parametrize(
    ("text", "expected", "skipped"),
    [
        (CTEST, {"t1.t1": (1, 1), "t3.t3": (1, 0)}, 2),
        (GRADLE, {"shop.PayTest.card()": (1, 1), "shop.PayTest.cash()": (1, 0)}, 1),
        (
            JEST,
            {
                "cart adds.cart adds": (1, 1),
                "cart pays.cart pays": (1, 0),
                "Test suite failed to run.broken.test.js": (1, 0),
            },
            1,
        ),
        (
            GOTESTSUM,
            {"example.com/shop.TestPay/card": (1, 1), "example.com/shop.TestPay": (1, 0)},
            1,
        ),
        (ROBOT, {"Shop.Pay.Card": (1, 1), "Shop.Pay.Cash": (1, 0)}, 1),
    ],
    ids=["ctest", "gradle", "jest", "gotestsum", "robot"],
)
def test_a_report_is_read_right(tmp_path, text, expected, skipped):
    path = tmp_path / "report.xml"
    path.write_text(text, encoding="utf-8")
    table = ga.read_logs(path)
    assert counts_by_test(table) == expected
    assert table.skipped == skipped
    assert not table.notes


def test_the_projects_of_playwright_are_hosts(tmp_path):
    path = tmp_path / "results.xml"
    path.write_text(PLAYWRIGHT, encoding="utf-8")
    with pytest.raises(
        ga.errors.SpecError, match=r"test case 3 must come only once.*by='host,name'"
    ):
        ga.read_logs(path)
    table = ga.read_logs(path, by="host,name")
    assert counts_by_test(table) == {
        "chromium / pay.spec.ts.pay \u203a card": (1, 1),
        "chromium / pay.spec.ts.pay \u203a cash": (1, 1),
        "firefox / pay.spec.ts.pay \u203a card": (1, 0),
    }
    assert not table.notes


def test_the_retries_that_playwright_includes_are_attempts(tmp_path):
    """Its option ``includeRetries`` writes them as Surefire does."""
    flaky = (
        '<flakyFailure message="no" type="expect.toBe" time="0.4"><stackTrace></stackTrace>'
        "<system-out></system-out></flakyFailure>"
    )
    text = PLAYWRIGHT.replace('time="0.8">', f'time="0.8">{flaky}')
    path = tmp_path / "results.xml"
    path.write_text(text, encoding="utf-8")
    table = ga.read_logs(path, by="host,name")
    assert counts_by_test(table)["chromium / pay.spec.ts.pay \u203a cash"] == (2, 1)
    assert not table.notes


def test_the_runs_of_bazel_are_files_without_a_time(tmp_path):
    """``--runs_per_test`` writes a file for each run, and runs that end alike write alike."""
    error = '<error message="exited with error code 1"></error>'
    for run in range(3):
        text = BAZEL.format(errors=int(run == 1), error=error if run == 1 else "")
        (tmp_path / f"run_{run}.xml").write_text(text, encoding="utf-8")
    paths = str(tmp_path / "run_*.xml")
    with pytest.raises(ga.errors.SpecError, match="copies='count'"):
        ga.read_logs(paths)
    table = ga.read_logs(paths, copies="count")
    assert counts_by_test(table) == {"shop/pay_test": (3, 2)}
    assert (table.errors, table.notes) == (1, ())
