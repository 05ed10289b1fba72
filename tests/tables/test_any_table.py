"""Random tables in random dialects come back as they were; random bytes give a clear error."""

import csv
import io
import json
import unicodedata

import openpyxl
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import goodarm as ga

ASKED = {"threshold": 0.5, "delta": 0.05}
NAMES = {
    "arm": ("arm", "Arm", "variant", "OPTION", "test", "prompt", "Model"),
    "pulls": ("pulls", "N", "trials", "Visits", "views", "users", "sessions", "runs", "total"),
    "successes": ("successes", "conversions", "Clicks", "passed", "wins", "orders", "correct"),
}
LABELS = (
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")),
        min_size=1,
        max_size=12,
    )
    .map(lambda text: unicodedata.normalize("NFC", text.strip()))
    .filter(lambda text: text and text[0] != "#")
)
COUNTS = st.integers(0, 10**7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
TABLES = st.dictionaries(LABELS, COUNTS, min_size=1, max_size=8)
"""Labels as a person tells them apart."""


def group_digits(number, sign):
    return f"{number:,}".replace(",", sign)


@st.composite
def dialects(draw):
    sep = draw(st.sampled_from([",", ";", "\t", "|"]))
    return {
        "sep": sep,
        "group": draw(st.sampled_from(["", "", ",", ".", " ", "'", "\u202f"])),
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])),
        "end": draw(st.sampled_from(["\n", "\r\n"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "names": [draw(st.sampled_from(NAMES[meaning])) for meaning in NAMES],
        "order": draw(st.permutations(range(3))),
        "remark": draw(st.booleans()),
    }


def write(table, dialect):
    group = dialect["group"]
    cells = [dialect["names"]]
    cells += [
        [arm, group_digits(n, group), group_digits(s, group)] for arm, (n, s) in table.items()
    ]
    text = io.StringIO(newline="")
    if dialect["remark"]:
        text.write(f"# by {dialect['sep']} hand{dialect['end']}")
    writer = csv.writer(
        text,
        delimiter=dialect["sep"],
        lineterminator=dialect["end"],
        quoting=dialect["quoting"],
    )
    writer.writerows([row[k] for k in dialect["order"]] for row in cells)
    return text.getvalue().encode(dialect["encoding"])


def outcome(table, **options):
    """The verdict, or the words of the error."""
    try:
        return ga.check(table, **ASKED, **options), ""
    except ga.errors.GoodArmError as error:
        return None, str(error)


@pytest.mark.slow
@settings(max_examples=120)
@given(TABLES, dialects())
def test_a_random_dialect_gives_the_same_counts(table, dialect):
    check_dialect(table, dialect)


@pytest.mark.large
@settings(max_examples=300)
@given(TABLES, dialects())
def test_many_dialects_give_the_same_counts(table, dialect):
    check_dialect(table, dialect)


def check_dialect(table, dialect):
    """Counts are the same; or, where a point or comma may mean two things, an error shows both."""
    found, problem = outcome(io.BytesIO(write(table, dialect)), keep_total=True)
    if found is None:
        assert "can be read in two ways" in problem
        assert dialect["group"] in (",", ".")
        decimal = "." if dialect["group"] == "," else ","
        found = ga.check(
            io.BytesIO(write(table, dialect)), **ASKED, keep_total=True, decimal=decimal
        )
    assert found == ga.check(table, **ASKED)


@settings(max_examples=60, deadline=None)
@given(TABLES, st.sampled_from(["jsonl", "xlsx", "parquet"]), st.data())
def test_other_files_give_the_same_counts(tmp_path_factory, table, kind, data):
    names = [data.draw(st.sampled_from(NAMES[meaning])) for meaning in NAMES]
    path = tmp_path_factory.mktemp("tables") / f"t.{kind}"
    rows = [[arm, n, s] for arm, (n, s) in table.items()]
    if kind == "jsonl":
        lines = (json.dumps(dict(zip(names, row, strict=True))) for row in rows)
        path.write_text("\n".join(lines), encoding="utf-8")
    elif kind == "xlsx":
        assume(not any(arm[0] in "='" or "_x" in arm for arm in table))  # what Excel makes of them
        book = openpyxl.Workbook()
        for row in [names, *rows]:
            book.active.append(row)
        book.save(path)
    else:
        pl.DataFrame(rows, schema=names, orient="row").write_parquet(path)
    assert ga.check(path, **ASKED, keep_total=True) == ga.check(table, **ASKED)


def verdict_or_error(path, **options):
    found, problem = outcome(path, **options)
    assert found is not None or problem.strip()
    assert len(problem) < 20_000


KINDS = ["csv", "jsonl", "xlsx", "parquet"]


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=300), st.sampled_from(KINDS), st.booleans())
@example(b"\xff\xfe", "csv", False)
@example(b"arm,pulls,successes\n\x00,1,1\n", "csv", False)
@example(b'"', "csv", True)
@example(b"{", "jsonl", False)
def test_random_bytes(tmp_path, content, kind, raw):
    path = tmp_path / f"t.{kind}"
    path.write_bytes(content)
    verdict_or_error(path, raw=raw)


def real_files(folder):
    """A good file of each kind, as bytes."""
    columns = {"arm": ["a", "b", "c"], "pulls": [1500, 500, 40], "successes": [1460, 300, 30]}
    frame = pl.DataFrame(columns)
    frame.write_parquet(folder / "t.parquet")
    frame.write_ndjson(folder / "t.jsonl")
    frame.write_csv(folder / "t.csv")
    book = openpyxl.Workbook()
    for row in [list(columns), *zip(*columns.values(), strict=True)]:
        book.active.append(row)
    book.save(folder / "t.xlsx")
    return {kind: (folder / f"t.{kind}").read_bytes() for kind in KINDS}


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    return real_files(tmp_path_factory.mktemp("originals"))


@pytest.mark.slow
@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(KINDS), st.data())
def test_mutated_real_files(originals, tmp_path, kind, data):
    content = bytearray(originals[kind])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        what = data.draw(st.sampled_from(["set", "cut", "drop", "twice"]))
        if what == "set":
            content[place] = data.draw(st.integers(0, 255))
        elif what == "cut":
            content = content[: place + 1]
        elif what == "drop":
            del content[place : place + data.draw(st.integers(1, 20))]
            content = content or bytearray(b"\n")
        else:
            content[place:place] = content[max(place - 9, 0) : place]
    path = tmp_path / f"t.{kind}"
    path.write_bytes(bytes(content))
    verdict_or_error(path)
