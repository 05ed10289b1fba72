"""Other tools' logs: ``goodarm check --from``, and ``read`` in Python."""

import json
import shutil
from pathlib import Path

from corpus_cases.case import Case, Outcome, read_calls, slug_of
from corpus_cases.command_line import command
from corpus_cases.library import ga
from corpus_cases.process import TOOLS
from corpus_cases.python_call import python

AT = "--threshold .8 --delta .05"
CALLS = read_calls("logs")
_GATE = """<testcase classname="a" name="b"><properties>
<property name="goodarm_pulls" value="50"/><property name="goodarm_passes" value="49"/>
</properties></testcase>"""
FORMATS = {"junit": "junit", "promptfoo": "promptfoo", "inspect": "inspect", "lm_eval": "lm-eval"}


def cases():
    """Yield calls on logs that real tools wrote, and on some made here."""
    shutil.copytree(TOOLS.parent / "tests" / "data", "logs")
    _write_logs(Path("logs"))
    for call in CALLS:
        tool = FORMATS.get(call.split("/")[0], "jsonl")
        files, options = _split(call)
        words = [*files, "--from", tool, *options, *AT.split()]
        name = slug_of(call, 90)
        yield command(f"logs/check/{name}", ["check", *words])
        yield command(f"logs/json/{name}", ["check", *words, "--json"])
        yield _read(name, files, tool, options)
    for call in (
        "junit/pytest.xml",
        "promptfoo/repeat.json --by test",
        "own/runs.jsonl",
        "junit/*",
    ):
        files, options = _split(call)
        yield _read(f"{slug_of(call)}-format-found", files, None, options)
    for source in (
        *(
            "ga.read([])",
            "ga.read(3)",
            "ga.read('logs/none.xml')",
            "ga.read('logs/own/runs.jsonl', format='x')",
        ),
        *("ga.read('logs/own/runs.jsonl', by=())", "ga.read('logs/own/runs.jsonl', errors='x')"),
        *(
            "ga.read('logs/own/runs.jsonl', pass_at='x')",
            "ga.read('logs/own/runs.jsonl', copies=3)",
        ),
    ):
        yield python("logs/refused", source)


def _split(call):
    words = call.split()
    files = [f"logs/{word}" for word in words if "/" in word]
    return files, [word for word in words if "/" not in word]


def _read(name, files, tool, options):
    keywords = {
        word[2:].replace("-", "_"): value
        for word, value in zip(options[::2], options[1::2], strict=True)
    }
    if "pass_at" in keywords:
        keywords["pass_at"] = float(keywords["pass_at"])
    shown = ", ".join(f"{key}={value!r}" for key, value in keywords.items())

    def run():
        try:
            table = ga.read(files, format=tool, **keywords)
        except Exception as error:
            return Outcome(f"--- error\n{type(error).__name__}: {error}\n", True)
        document = json.dumps(table.to_dict(), indent=1)
        html = table._repr_html_()
        notes = "\n".join(table.notes)
        return Outcome(
            f"--- text\n{table}\n--- notes\n{notes}\n--- html\n{html}\n--- document\n{document}\n"
        )

    return Case(f"logs/read/{name}", f">>> ga.read({files}, format={tool!r}, {shown})", run)


def _write_logs(folder):
    case = '<testcase classname="shop" name="{}">{}</testcase>'
    suite = '<testsuite name="{}" timestamp="2026-11-01T12:00:00">{}</testsuite>'

    def suites(*parts):
        return f"<testsuites>{''.join(parts)}</testsuites>"

    texts = {
        "junit/copy.xml": (folder / "junit/pytest.xml").read_text(),
        "junit/cut.xml": (folder / "junit/pytest.xml").read_text()[:-40],
        "junit/doctype.xml": '<!DOCTYPE x [<!ENTITY y "z">]><testsuite/>',
        "junit/gate.xml": suite.format("gates", _GATE),
        "junit/playwright.xml": suites(
            suite.format("chromium", case.format("pay", "")),
            suite.format("webkit", case.format("pay", "<failure/>")),
        ),
        "junit/ctest.xml": '<testsuite name="c" tests="3"><testcase name="a" status="run"/>'
        '<testcase name="b" status="fail"/><testcase name="d" status="disabled"/></testsuite>',
        "junit/odd.xml": suite.format("odd", case.format("pay", "<warning/>")),
        "junit/totals.xml": '<testsuite name="t" tests="2" failures="2">'
        + case.format("a", "")
        + case.format("b", "")
        + "</testsuite>",
        "own/runs.jsonl": _lines(
            {"arm": arm, "host": f"h{k % 2}", "passed": k % 9 > 0 or arm == "b"}
            for k in range(60)
            for arm in "ab"
        ),
        "own/scores.jsonl": _lines(
            {"arm": "a", "score": k % 10 / 10, "quality": k % 4 / 3} for k in range(40)
        ),
        "own/cases.jsonl": _lines(
            {"arm": "a", "case": f"q{k % 8}", "reward": int(k % 3 > 0)} for k in range(24)
        ),
        "own/alike.jsonl": _lines({"arm": arm, "reward": 1} for arm in (1, "1")),
        "own/cut.jsonl": '{"arm": "a", "reward": 1}\n{"arm": "a", "rew',
        "own/twice.jsonl": '{"arm": "a", "arm": "b", "reward": 1}\n',
        "own/words.jsonl": _lines(
            {"arm": "a", "outcome": word} for word in ("pass", "failed", "error", "skipped")
        ),
        "own/nothing.jsonl": "",
    }
    for run in range(3):
        texts[f"junit/bazel-{run}.xml"] = f'<testsuite name="b">{case.format("a", "")}</testsuite>'
    (folder / "own").mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)


def _lines(documents):
    return "".join(json.dumps(each) + "\n" for each in documents)
