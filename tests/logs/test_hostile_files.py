"""Files that are cut off, of another kind, huge or hostile: a clear error, in little memory."""

import json
import subprocess
import sys

import pytest

import goodarm as ga
from goodarm.logs import json_text
from logs.log_files import DATA

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
import goodarm as ga
try:
    print(ga.read_logs(sys.argv[1], format=sys.argv[2]).attempts)
except ga.errors.SpecError as error:
    print(error)
"""


def read_with_little_memory(path, form):
    """What happens in a process that may have one gigabyte and a minute of a core."""
    command = [sys.executable, "-c", LIMITED, str(path), form]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_billion_laughs(depth=10):
    """The billion laughs: entities of entities."""
    lines = ['<!ENTITY a0 "ha">']
    lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, depth)]
    return (
        f"<!DOCTYPE x [{''.join(lines)}]><testsuite><testcase name='&a{depth - 1};'/></testsuite>"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (make_billion_laughs(), "must have no document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite/>', "must have no document type"),
        ("", "it is empty"),
        ("plain text", "must be JUnit XML; syntax error"),
        ("<html></html>", r"'root' of .* got 'html'"),
        ("<testsuite><testcase name='a'/>", "cut off, or is still being written"),
        ("<testsuite>" * 200 + "</testsuite>" * 200, "nested at most 100 deep"),
        (f"<testsuite><testcase name='a'>{'<x>' * 200}", "nested at most 100 deep"),
        ("<testsuite><testcase/></testsuite>", "'name' of .* must not be blank"),
        ("<?xml version='1.0' encoding='klingon'?><testsuite/>", "unknown encoding"),
    ],
)
def test_bad_xml(tmp_path, text, message):
    path = tmp_path / "bad.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(path)


def test_every_cut_of_a_report_is_noticed(tmp_path):
    whole = (DATA / "junit/pytest.xml").read_bytes().rstrip()
    path = tmp_path / "cut.xml"
    for length in range(1, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(ga.errors.SpecError, match="must be JUnit XML"):
            ga.read_logs(path)


@pytest.mark.parametrize(
    "name",
    ["promptfoo/repeat.json", "inspect/epochs.json", "phoenix/repeat.json", "langfuse/scores.json"],
)
def test_every_cut_of_a_document_is_noticed(tmp_path, name):
    whole = (DATA / name).read_bytes().rstrip()
    path = tmp_path / "cut.json"
    form = name.partition("/")[0]
    for length in range(0, len(whole), 997):
        path.write_bytes(whole[:length])
        with pytest.raises(ga.errors.SpecError, match="ends early"):
            ga.read_logs(path, format=form)


@pytest.mark.parametrize(
    "form", ["promptfoo", "inspect", "lm-eval", "jsonl", "pytest-json", "lerobot"]
)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested too deeply|ends early"),
        ('{"a": ' * 100_000, "nested too deeply|ends early"),
        ("[1]", "got no JSON object but a list"),
        ("{'a': 1}", "Expecting property name"),
        ('{"a": ' + "9" * 5000 + "}", "limit"),
        ('{"a": "', "ends early"),
        ('{"a": 1, "b": {"passed": true, "passed": false}}', "key 'passed' comes twice"),
    ],
)
def test_bad_json(tmp_path, form, text, message):
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(path, format=form)


@pytest.mark.parametrize("form", ["promptfoo", "inspect"])
@pytest.mark.parametrize("text", ["{}", '{"results": 3}', '{"version": 2, "eval": 3}'])
def test_json_of_another_kind(tmp_path, form, text):
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=r"version' of .* must be"):
        ga.read_logs(path, format=form)


@pytest.mark.parametrize("form", ["jsonl", "inspect"])
def test_bytes_that_are_no_text(tmp_path, form):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"arm": "\xff"}')
    with pytest.raises(ga.errors.SpecError, match="must be UTF-8; byte 10 is not"):
        ga.read_logs(path, format=form)


def test_a_line_that_never_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(json_text, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "long.jsonl"
    path.write_text('{"arm": "' + "a" * 2000, encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="must have at most 1,000 bytes"):
        ga.read_logs(path)


def test_a_document_that_is_too_large_is_not_opened(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(200_000_000_000)
    with pytest.raises(ga.errors.SpecError, match=r"at most 100,000,000 bytes.*-o FILE\.jsonl"):
        ga.read_logs(path, format="promptfoo")


def test_a_tag_that_never_ends_is_given_up(tmp_path):
    path = tmp_path / "tag.xml"
    with path.open("wb") as stream:
        stream.write(b'<testsuite name="')
        for _ in range(40):
            stream.write(b"a" * 1_000_000)
    assert "tags of at most" in read_with_little_memory(path, "junit")


@pytest.mark.slow
def test_a_large_report_takes_little_memory(tmp_path):
    """Long outputs, and text of a hundred megabytes in one element."""
    path = tmp_path / "large.xml"
    with path.open("wb") as stream:
        stream.write(b'<testsuite><testcase name="a"><system-out>')
        for _ in range(100):
            stream.write(b"x" * 1_000_000)
        stream.write(b"</system-out></testcase>")
        for number in range(200_000):
            stream.write(b'<testcase name="b%d"/>' % (number % 10))
            stream.write(b"<testsuite><properties/></testsuite>" if number % 100 == 0 else b"")
        stream.write(b"</testsuite>")
    assert "must come only once" in read_with_little_memory(path, "junit")
    assert ga.read_logs(path, format="junit", repeats="attempts").attempts == 200_001


def test_names_cannot_steer_a_terminal(tmp_path):
    path = tmp_path / "names.jsonl"
    path.write_text(json.dumps({"arm": "a\x1b[31m\n", "reward": 1}), encoding="utf-8")
    assert "\x1b" not in repr(ga.read_logs(path))
