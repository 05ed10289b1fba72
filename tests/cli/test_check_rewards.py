"""``goodarm check`` for every kind of reward, each arm's own threshold, and pools."""

import json

import pytest

import goodarm as ga

COUNTS = "arm,pulls,successes,bar,cases\na,100,95,.8,150\nb,100,60,.5,120\nc,100,80,.9,100\n"
VALUES = "arm,value,count\na,1,3\na,5,40\nb,1,30\nb,2,9\n"


@pytest.fixture
def check(invoke, tmp_path):
    def run(text, *options):
        path = tmp_path / "t.csv"
        path.write_text(text, encoding="utf-8")
        return invoke(["check", str(path), "--delta", ".05", *options]), path

    return run


def test_a_column_of_thresholds(check):
    result, path = check(COUNTS, "--threshold-column", "bar", "--json")
    document = json.loads(result.stdout)
    table = ga.check(path, delta=0.05, columns={"threshold": "bar"})
    assert document["arms"] == table.to_dict()["arms"]
    assert [arm["threshold"] for arm in document["arms"]] == [0.8, 0.5, 0.9]
    shown, _ = check(COUNTS, "--threshold-column", "bar")
    assert "3 arms at their own thresholds, 0.5 to 0.9:" in shown.stdout
    assert "Each arm has its own threshold" in shown.stdout
    csv, _ = check(COUNTS, "--threshold-column", "bar", "--csv")
    assert csv.stdout.splitlines()[0].split(",")[:5] == [
        *("arm", "label", "pulls", "successes", "threshold")
    ]
    again, _ = check(csv.stdout, "--threshold-column", "threshold", "--csv")
    assert again.stdout == csv.stdout


def test_pools(check):
    result, path = check(COUNTS, "--threshold", ".8", "--pool-column", "cases", "--json")
    document = json.loads(result.stdout)
    assert [arm["pool"] for arm in document["arms"]] == [150, 120, 100]
    result, path = check(COUNTS, "--threshold", ".8", "--pool", "150", "--control", "fdr")
    table = ga.check(path, threshold=0.8, delta=0.05, pool=150, control="fdr")
    assert table.summary in result.stdout
    uneven = COUNTS.replace("b,100,60", "b,90,60")
    result, _ = check(uneven, "--threshold", ".8", "--pool", "150", "--control", "fdr")
    assert "1 + 1/2 + ... + 1/K) = 0.02727" in result.stdout
    options = ("--threshold", ".8", "--pool", "150", "--control", "fdr", "--case-order", "own")
    assert "1/2" not in check(uneven, *options)[0].stdout


def test_values_and_gaussian_rewards(check):
    options = ("--threshold", "3", "--rewards", "bounded", "--low", "1", "--high", "5")
    result, _ = check(VALUES, *options, "--values", "--json")
    document = json.loads(result.stdout)
    assert document["rule"] == "betting"
    assert [arm["label"] for arm in document["arms"]] == ["good", "bad"]
    gaussian = ("--threshold", "0", "--rewards", "gaussian", "--sigma", "2")
    result, _ = check("arm,pulls,sum\na,100,-90.5\nb,100,120\n", *gaussian, "--json")
    document = json.loads(result.stdout)
    assert (document["rule"], document["sigma"]) == ("half-normal", 2.0)
    assert [arm["label"] for arm in document["arms"]] == ["bad", "good"]
    result, path = check(COUNTS, "--threshold", ".8", "--gap", ".1", "--json")
    assert json.loads(result.stdout)["gap"] == 0.1
    assert (
        json.loads(result.stdout)["arms"]
        == ga.check(path, threshold=0.8, delta=0.05, gap=0.1).to_dict()["arms"]
    )


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            COUNTS,
            [],
            "--threshold must be given. For a threshold of each arm, give a column: --threshold-co",
        ),
        (
            COUNTS,
            ["--threshold", ".8", "--threshold-column", "bar"],
            "--threshold must be le",
        ),
        (
            COUNTS,
            ["--column", "threshold=bar"],
            "must not name the threshold column; use --threshold-column",
        ),
        (COUNTS, ["--threshold-column", "x"], "Name the column: --threshold-column NAME."),
        (
            COUNTS.replace("pulls", "reward"),
            ["--column", "pulls=reward", "--threshold", ".8", "--pool-column", "x"],
            "Name the column: --pool-column NAME.",
        ),
        (
            COUNTS,
            ["--threshold", ".8", "--case-order", "own"],
            "--case-order must be left out without a pool; got 'own'. Give --pool N, or "
            "--pool-column NAME, too.",
        ),
        (COUNTS.replace(".9", "9"), ["--threshold-column", "bar"], "line 4 must be strictly betw"),
        (COUNTS, ["--threshold", ".8", "--pool", "99"], "line 2 must be at most the 99 cases of a"),
        (
            COUNTS,
            ["--threshold", ".8", "--pool", "0"],
            "--pool must be a whole number from 1",
        ),
        (
            COUNTS,
            ["--threshold", "0", "--rewards", "gaussian"],
            "--sigma must be given for g",
        ),
        (VALUES, ["--threshold", ".5"], "how often a value came, use --values"),
        (VALUES, ["--threshold", ".5", "--raw"], "If it is, use --values in place of --raw"),
        (VALUES, ["--threshold", ".5", "--raw", "--values"], "left out if --raw is given"),
        (VALUES, ["--threshold", ".5", "--values"], "The 'value' of "),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_refused(check, text, options, message):
    result, _ = check(text, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_the_help_says_what_is_fixed_beforehand(invoke):
    text = " ".join(invoke(["check", "--help"]).stdout.replace("│", " ").split())
    fixed, told, _ = text.partition(" before you see the data: labels are not valid for a question")
    assert told
    fixed = fixed[fixed.index("Choose thresholds, --delta") :]
    for option in ("--control", "--rule", "--margin", "--gap", "--sigma"):
        assert option in fixed


def test_advice_for_the_next_experiment_stands_last(invoke, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("arm,pulls,successes\na,5000,4600\nb,5000,3000\n")
    asked = ["check", path, "--threshold", ".8", "--delta", ".05", "--rule", "hoeffding"]
    assert "For your next experiment: mixture" in invoke(asked).stdout.splitlines()[-1]
    assert "labels stay" in " ".join(invoke(["check", "--help"]).stdout.split()).lower()
