"""``read``: paths and globs, each log once, choices, and readers of one's own."""

import json
import pickle
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

import goodarm as ga
from goodarm.logs import Attempt, Reader, list_formats, registry
from goodarm.wording import COMMAND_LINE
from logs.log_files import DATA, counts_by_test, make_case, make_report

REPORT = DATA / "junit/pytest.xml"


@pytest.fixture
def reports(tmp_path):
    """Three runs with times, and a fourth file that is a copy of the first."""
    text = REPORT.read_text(encoding="utf-8")
    for number in (1, 2, 3):
        day = text.replace("2026-11-16", f"2026-12-0{number}")
        (tmp_path / f"run{number}.xml").write_text(day, encoding="utf-8")
    (tmp_path / "copy.xml").write_bytes((tmp_path / "run1.xml").read_bytes())
    return tmp_path


def test_globs_lists_and_single_files(reports):
    assert len(ga.read_logs(str(reports / "run?.xml")).files) == 3
    assert len(ga.read_logs([reports / "run1.xml", str(reports / "run[23].xml")]).files) == 3
    assert len(ga.read_logs(reports / "run1.xml").files) == 1
    assert len(ga.read_logs(str(reports.parent / "**" / reports.name / "run*.xml")).files) == 3


def test_a_file_whose_name_looks_like_a_glob_is_a_file(tmp_path):
    path = tmp_path / "run[1].xml"
    path.write_bytes(REPORT.read_bytes())
    assert ga.read_logs(str(path)).files == (str(path),)


def test_the_same_log_by_two_paths_counts_once(reports):
    (reports / "link.xml").symlink_to(reports / "run2.xml")
    (reports / "run1.xml").unlink()
    paths = [str(reports / "run*.xml"), reports / "run2.xml", reports / "link.xml"]
    table = ga.read_logs(paths)
    assert set(table.pulls) == {2}
    assert table.copies == 2
    assert "left out 2 copies of a file" in table.read_as


def test_a_copied_log_counts_once(reports):
    table = ga.read_logs(str(reports / "*.xml"))
    assert set(table.pulls) == {3}
    assert table.copies == 1
    assert set(ga.read_logs(str(reports / "*.xml"), copies="count").pulls) == {4}


def test_equal_files_without_times_may_be_different_runs(tmp_path):
    for number in (1, 2):
        (tmp_path / f"{number}.xml").write_text(make_report(make_case("a")), encoding="utf-8")
    paths = str(tmp_path / "*.xml")
    with pytest.raises(ga.errors.SpecError, match="copies='once'.*copies='count'") as refused:
        ga.read_logs(paths)
    assert "--copies count" in COMMAND_LINE.sentence(refused.value)
    assert ga.read_logs(paths, copies="count").pulls.tolist() == [2]
    assert ga.read_logs(paths, copies="once").pulls.tolist() == [1]


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ("nothing-*.xml", "must be globs that match a file"),
        ([], "must name at least one file"),
        (3, "must be a path, a glob, or a list"),
        ([3], "must be a path, a glob, or a list"),
        (DATA, "must be files"),
    ],
)
def test_bad_paths(paths, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(paths)


def test_a_missing_file_is_pythons_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        ga.read_logs(tmp_path / "none.xml", format="junit")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"format": "junitt"},
            r"'format' of read_logs must be one of 'junit'.*Did you mean 'junit'",
        ),
        ({"by": "tset"}, "'by' of read_logs must be one of 'name', 'test'.*Did you mean 'test'"),
        ({"by": "name,name"}, "each once"),
        ({"by": ""}, "each once"),
        ({"by": 3}, "must name one or more parts; got 3"),
        ({"errors": "ignore"}, "'errors' of read_logs must be one of 'fail', 'exclude'"),
        ({"repeats": "yes"}, "'repeats' of read_logs must be one of"),
        ({"copies": "twice"}, "'copies' of read_logs must be one of"),
        ({"score": "acc"}, "'score' of read_logs must be left out for junit"),
        ({"filter": "none"}, "'filter' of read_logs must be left out for junit"),
        ({"cached": "exclude"}, "'cached' of read_logs must be left out for junit"),
        ({"pass_at": 0.5}, "'pass_at' of read_logs must be left out for junit"),
        ({"pass_at": "high"}, "'pass_at' of read_logs must be a finite number"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(REPORT, **options)


def test_messages_for_the_command_line_speak_of_options():
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.read_logs(REPORT, format="nunit")
    assert COMMAND_LINE.sentence(refused.value).startswith("--from must be one of 'junit'")
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.read_logs("*.nothing")
    assert COMMAND_LINE.sentence(refused.value).startswith("PATHS must")


def test_mixed_formats_are_refused():
    with pytest.raises(ga.errors.SpecError, match=r"one format.*\(junit\).*\(inspect\)"):
        ga.read_logs([REPORT, DATA / "inspect/epochs.json"])


def test_a_format_that_nothing_shows_must_be_named(tmp_path):
    path = tmp_path / "results.log"
    path.write_text("?", encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="format='NAME'"):
        ga.read_logs(path)


def test_only_skipped_tests_are_no_table(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(make_report(make_case("a", "<skipped/>")), encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="at least one attempt; got none.* 1 skipped"):
        ga.read_logs(path)


def test_the_table_is_one_for_check_and_for_people():
    table = ga.read_logs(DATA / "junit/repeat.xml", by="test")
    assert set(table) == {"arm", "pulls", "successes"}
    assert len(ga.check(table, threshold=0.5, delta=0.05)) == 7
    assert repr(table).startswith("Read 1 file as junit")
    assert table.read_as[1:] in repr(table)
    assert "test_pay" in repr(table)
    assert "<table " in table._repr_html_()
    noted = replace(table, notes=("Repeats of <a> & b.",))
    assert noted._repr_html_().endswith("<p>Repeats of &lt;a&gt; &amp; b.</p>")
    assert table.to_polars()["pulls"].sum() == table.to_pandas()["pulls"].sum() == 21
    document = table.to_dict()
    assert document["kind"] == "log"
    assert document["arms"][0] == {"arm": "test_shop.test_login", "pulls": 3, "successes": 3}
    assert pickle.loads(pickle.dumps(table)).arms == table.arms
    with pytest.raises(KeyError):
        table["nothing"]


def read_words(path, options):
    """A reader of one's own: a name and a word on each line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        name, word = line.split()
        yield Attempt({"name": name}, word, key=name, number=number)


def read_nonsense(path, options):
    yield "nonsense"


OWN = Reader(read=read_words, by=("name",), parts={"name": "the name"}, options=frozenset())
NO_READER = 3


@pytest.fixture
def registered(monkeypatch):
    """Entry points as another package would declare them."""
    names = {
        "words": "read_words",
        "own": "OWN",
        "junit": "read_nonsense",
        "number": "NO_READER",
        "broken": "missing",
        "nonsense": "read_nonsense",
    }
    points = [
        EntryPoint(n, f"{__name__}:{v}", registry.ENTRY_POINT_GROUP) for n, v in names.items()
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("a pass\nb fail\nc error\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["words", "own"])
def test_a_reader_of_ones_own_is_one_function(registered, words, name):
    assert name in list_formats()
    assert counts_by_test(ga.read_logs(words, format=name)) == {
        "a": (1, 1),
        "b": (1, 0),
        "c": (1, 0),
    }
    words.write_text("a pass\na pass\n", encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="must come only once"):
        ga.read_logs(words, format=name)


def test_a_reader_of_ones_own_cannot_take_a_name_of_goodarms(registered):
    assert ga.read_logs(REPORT, format="junit").attempts == 7
    assert list_formats().count("junit") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("number", "must be a function from a path and options to attempts, or a Reader"),
        ("broken", "The reader 'broken' .* does not load: AttributeError"),
        ("nonsense", "must be of class Attempt; got 'nonsense'"),
    ],
)
def test_a_reader_that_is_none(registered, words, name, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(words, format=name)


def test_an_outcome_that_is_none(registered, words):
    words.write_text("a maybe\n", encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match="'outcome' of .*line 1 must be one of 'pass'"):
        ga.read_logs(words, format="words")


def test_a_package_registers_a_reader_by_its_entry_point(tmp_path, monkeypatch, words):
    """As pip installs it: a module, and beside it a folder with the package's entry points."""
    found = tmp_path / "their_reader-1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Name: their-reader\nVersion: 1.0\n", encoding="utf-8")
    (found / "entry_points.txt").write_text(
        "[goodarm.readers]\ntheirs = their_reader:read\n", encoding="utf-8"
    )
    (tmp_path / "their_reader.py").write_text(
        "from goodarm.logs import Attempt\n"
        "def read(path, options):\n"
        "    yield Attempt({'size': str(path.stat().st_size)}, 'pass')\n",
        encoding="utf-8",
    )
    assert "theirs" not in list_formats()
    monkeypatch.syspath_prepend(tmp_path)
    assert list_formats()[-1] == "theirs"
    assert counts_by_test(ga.read_logs(words, format="theirs")) == {"22": (1, 1)}


@pytest.mark.parametrize("given", [read_words, OWN])
def test_a_function_that_reads_may_be_the_format(words, given):
    table = ga.read_logs(words, format=given)
    assert counts_by_test(table) == {"a": (1, 1), "b": (1, 0), "c": (1, 0)}
    assert table.format == "read_words"


def rescore(document):
    """Turn the score of the third sample of a log of Inspect over."""
    score = document["samples"][2]["scores"]["match"]
    score["value"] = "C" if score["value"] == "I" else "I"


def regrade(document):
    """Turn the first result of an export of promptfoo over."""
    row = document["results"]["results"][0]
    row["success"], row["failureReason"] = (False, 1) if row["success"] else (True, 0)


def rename(document):
    """Call the provider of the first result of an export of promptfoo something else."""
    document["results"]["results"][0]["provider"]["label"] = "large"


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("inspect/epochs.json", rescore, "must have one outcome; it is 'pass' there, and 'fail'"),
        ("promptfoo/repeat.json", regrade, "must have one outcome; it is '.*' there, and '.*' in"),
        ("promptfoo/repeat.json", rename, "must belong to one arm; .* It was copied"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_an_attempt_with_another_outcome_is_refused_in_any_order(
    tmp_path, name, change, message, is_first
):
    document = json.loads((DATA / name).read_text(encoding="utf-8"))
    again = tmp_path / "again.json"
    again.write_text(json.dumps(document), encoding="utf-8")
    assert ga.read_logs([DATA / name, again], repeats="attempts").duplicates > 0
    change(document)
    again.write_text(json.dumps(document), encoding="utf-8")
    paths = [DATA / name, again] if is_first else [again, DATA / name]
    pattern = message if is_first else message.split("'pass'")[0]
    with pytest.raises(ga.errors.SpecError, match=pattern) as refused:
        ga.read_logs(paths, repeats="attempts")
    assert str(again) in str(refused.value)
    assert str(DATA / name) in str(refused.value)
    assert ga.read_logs(again, repeats="attempts").attempts
