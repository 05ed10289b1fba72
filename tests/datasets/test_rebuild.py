"""Rebuilding from small files in the real formats, and from files that are damaged or wrong."""

import gzip

import pytest

import goodarm as ga
from goodarm import datasets


def found(rebuilt, what):
    return next(check.found for check in rebuilt.checks if check.what == what)


def covertype_row(cover):
    return ",".join(["2596"] * 54 + [str(cover)])


def write(path, rows, end="\n"):
    path.write_bytes((end.join(rows) + end).encode("ascii"))
    return path


@pytest.fixture
def covertype(tmp_path):
    rows = [covertype_row(cover) for cover in (1, 2, 2, 3, 4, 5, 6, 7)]
    return write(tmp_path / "covtype.data", rows)


@pytest.fixture
def jester(tmp_path):
    full = ["100", *(["-9.81", "5.00"] * 50)]
    partial = ["99", "99", *(["4.5"] * 99)]
    first = write(tmp_path / "jester-1.csv", [",".join(full)])
    second = write(tmp_path / "jester-2.csv", [",".join(partial), ",".join(full)], end="\r\n")
    return [first, second]


@pytest.fixture
def movielens(tmp_path):
    rows = ["196\t242\t3\t881250949", "186\t302\t5\t891717742", "22\t242\t4\t878887116"]
    return write(tmp_path / "u.data", rows)


def test_covertype(covertype, tmp_path):
    rebuilt = datasets.rebuild("covertype", [covertype])
    assert rebuilt.values == [1, 2, 1, 1, 1, 1, 1]
    assert found(rebuilt, "rows") == "8"
    assert not rebuilt.agrees
    packed = tmp_path / "covtype.data.gz"
    packed.write_bytes(gzip.compress(covertype.read_bytes()))
    assert datasets.rebuild("covertype", [packed]) == rebuilt


def test_jester(jester):
    rebuilt = datasets.rebuild("jester", jester)
    assert rebuilt.values[0] == pytest.approx(-9.81)
    assert rebuilt.values[1] == pytest.approx((5.0 + 4.5 + 5.0) / 3)
    assert found(rebuilt, "users") == "3"
    assert found(rebuilt, "ratings") == "299"
    assert found(rebuilt, "means") == "100"


def test_movielens(movielens):
    rebuilt = datasets.rebuild("movielens", [movielens])
    assert rebuilt.values == [5.0, 3.5]
    assert found(rebuilt, "users") == "3"
    assert found(rebuilt, "movies") == "2"


def test_what_agrees_is_said_to_agree(monkeypatch, movielens):
    """With the expectations of the small file in place of the real one's."""
    from goodarm.datasets import recipes as module

    recipe = module._RECIPES["movielens"]
    sha256 = (datasets.rebuild("movielens", [movielens]).checks[3].found,)
    changed = module._Recipe(recipe.read, "mean", {"rows": 3, "users": 3, "movies": 2}, sha256)
    monkeypatch.setitem(module._RECIPES, "movielens", changed)
    monkeypatch.setattr(module, "read_column", lambda *_: [5.0, 3.5])
    rebuilt = datasets.rebuild("movielens", [movielens])
    assert rebuilt.agrees
    monkeypatch.setattr(module, "read_column", lambda *_: [5.0, 3.6])
    rebuilt = datasets.rebuild("movielens", [movielens])
    assert found(rebuilt, "means that differ from what is shipped") == "1"


def fails(name, paths, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        datasets.rebuild(name, paths)


def test_a_truncated_file(movielens, covertype, jester, tmp_path):
    movielens.write_bytes(movielens.read_bytes()[:-15])
    fails("movielens", [movielens], r"u.data has \d columns in row 3 where 4 are expected")
    covertype.write_bytes(covertype.read_bytes()[:-30])
    fails("covertype", [covertype], "columns in row 8 where 55 are expected.*cut off")
    packed = tmp_path / "covtype.data.gz"
    packed.write_bytes(gzip.compress(covertype.read_bytes() * 50)[:-10])
    fails("covertype", [packed], "not a whole gzip file|columns in row")
    fails("jester", [jester[0], movielens], "has 1 columns in row 1 where 101 are expected")
    cells = jester[0].read_text(encoding="ascii").replace("-9.81", "99", 1)
    jester[0].write_text(cells, encoding="ascii")
    fails("jester", jester, "says 100 ratings in row 1, column 1, but the row has 99")


def test_a_re_encoded_file(movielens, covertype):
    movielens.write_text(movielens.read_text(encoding="ascii"), encoding="utf-16")
    fails("movielens", [movielens], "not plain ASCII text in row 1")
    covertype.write_bytes(b"\xef\xbb\xbf" + covertype.read_bytes())
    fails("covertype", [covertype], "not plain ASCII text in row 1.*as it was downloaded")


def test_a_wrong_file(movielens, covertype, jester, tmp_path):
    fails("movielens", [covertype], "covtype.data has 1 columns in row 1 where 4 are expected")
    fails("covertype", [movielens], "u.data has 1 columns in row 1 where 55")
    fails("jester", [covertype], "55 columns in row 1 where 101")
    fails("movielens", [movielens, movielens], "rebuilt from one file, u.data; got 2")
    fails("movielens", [], "No file to rebuild movielens from")
    fails("synthetic", [movielens], "must be one of 'covertype', 'jester', 'movielens'")
    empty = write(tmp_path / "empty", [], end="")
    fails("movielens", [empty], "is empty")
    with pytest.raises(FileNotFoundError):
        datasets.rebuild("movielens", [tmp_path / "missing"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1\t2\t6\t3", "'6' in row 2, column 3 .rating., where a number from 1 to 5"),
        ("1\tx\t3\t3", "'x' in row 2, column 2 .movie."),
        ("196\t242\t3\t1", "rates movie 242 by user 196 a second time in row 2"),
    ],
)
def test_a_wrong_cell_is_named_by_file_row_and_column(tmp_path, row, message):
    path = write(tmp_path / "u.data", ["196\t242\t3\t881250949", row])
    fails("movielens", [path], message)
    covertype = write(tmp_path / "c", [covertype_row(8)])
    fails("covertype", [covertype], r"'8' in row 1, column 55 \(cover type\)")
