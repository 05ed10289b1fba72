"""A file of an experiment: what it may say, and the errors for what it may not."""

from pathlib import Path

import pytest

from goodarm.errors import SpecError
from goodarm.live import RewardTimeout
from goodarm.problem import Problem
from goodarm.runner.example_file import write_example
from goodarm.runner.experiment_file import read_experiment_file
from goodarm.wording import COMMAND_LINE
from runner.conftest import make_toml

TRUE = 'command = "true"'


def test_all_that_a_file_may_say(write, tmp_path):
    (tmp_path / "cases.txt").write_text("one\ntwo words\n\nthree\r\n", encoding="utf-8")
    reward = """
        command = ["prog", "{arm}", "{case}", "{case_number}", "{pull}", "{python}"]
        result = "number"
        timeout = 2.5
        on_timeout = "lost"
        on_error = "failure"
        loss_is_independent = true
        [reward.env]
        TOKEN = "x y"
    """
    path = write(
        ["a", 7],
        reward,
        rewards="bounded",
        low=0,
        high=10,
        threshold=5,
        margin=0.5,
        until=1,
        max_pulls=50,
        cases="cases.txt",
        case_order="own",
        gap=1,
        arms_planned=4,
        algorithm="kl-moss+betting",
        seed=3,
        name="mine",
        store="sqlite:///kept/x.db",
    )
    file = read_experiment_file(path)
    assert file.problem == Problem(
        ["a", 7],
        threshold=5,
        delta=0.05,
        margin=0.5,
        rewards="bounded",
        low=0,
        high=10,
        until=1,
        max_pulls=50,
        pool=3,
        case_order="own",
        gap=1,
        arms_planned=4,
    )
    assert file.algorithm.identification.name == "betting"
    assert (file.seed, file.name, file.cases) == (3, "mine", ("one", "two words", "three"))
    assert file.database == tmp_path / "kept" / "x.db"
    assert file.reward.command[0] == "prog"
    assert (file.reward.result, file.reward.timeout) == ("number", 2.5)
    assert (file.reward.on_timeout, file.reward.on_error) == ("lost", "failure")
    assert file.reward.loss_is_independent
    assert file.reward.environment == {"TOKEN": "x y"}


def test_what_goes_without_saying(write, tmp_path):
    file = read_experiment_file(write(["a"], TRUE))
    assert (file.name, file.store) == ("experiment", f"sqlite:///{tmp_path}/experiment.db")
    assert (file.seed, file.cases, file.algorithm.name) == (None, None, "e-hdoc")
    reward = file.reward
    assert (reward.result, reward.timeout, reward.on_timeout) == ("exit", None, "failure")
    assert (reward.on_error, reward.loss_is_independent) == ("stop", False)
    other = read_experiment_file(write(["a"], TRUE, rewards="bounded", cases=9))
    assert (other.reward.result, other.problem.pool, other.cases) == ("number", 9, None)


def test_a_large_delta_is_taken_where_it_is_meant(write):
    assert (
        read_experiment_file(write(["a"], TRUE, delta=0.95, allow_large_delta=True)).problem.delta
        == 0.95
    )


def test_every_keyword_of_a_problem_may_be_said(write):
    """A new one joins by itself; how many cases there are is said by ``cases``."""
    with pytest.raises(SpecError, match="The 'pool' of the file must be called 'cases'; got 3"):
        read_experiment_file(write(["a"], TRUE, pool=3))


@pytest.mark.parametrize(
    ("keys", "reward", "message"),
    [
        ({"treshold": 0.4}, TRUE, "no key 'treshold' in the file. Did you mean 'threshold'?"),
        ({"zzz": 1}, TRUE, "no key 'zzz' in the file. There are: algorithm, allow_large"),
        ({}, "comand = 'x'", "There is no key 'comand' in [reward]. Did you mean 'command'?"),
        ({"delta": 3}, TRUE, "The 'delta' must be a number strictly between 0 and 1; got 3."),
        ({"delta": "x"}, TRUE, "The 'delta' must be a number strictly between 0 and 1; got 'x'."),
        ({"delta": 5}, TRUE, "between 0 and 1; got 5. Did you mean 0.05?"),
        ({"delta": 0.95}, TRUE, "at most 0.5; got 0.95. 95 % confidence is delta 0.05."),
        ({"delta": 0.95}, TRUE, "If you mean it, write allow_large_delta = true, too."),
        ({"allow_large_delta": 1}, TRUE, "'allow_large_delta' must be True or False; got 1."),
        ({"arms": []}, TRUE, "The 'arms' must have at least one arm"),
        ({"arms": ["a", "a"]}, TRUE, "The 'arms' must have every label only once"),
        ({"arms": ["a\0b"]}, TRUE, "hold labels without null characters"),
        ({"rewards": "poisson"}, TRUE, "The 'rewards' must be one of 'bernoulli'"),
        ({"algorithm": "hdok"}, TRUE, "Did you mean 'hdoc'?"),
        ({"algorithm": 3}, TRUE, "The 'algorithm' of the file must be a name; got 3."),
        ({"seed": -1}, TRUE, "The 'seed' of the file must be a whole number from 0"),
        ({"name": "a b"}, TRUE, "The 'name' of the file must be 1 to 64 letters"),
        ({"store": 3}, TRUE, "The 'store' of the file must be an address"),
        ({"cases": 0}, TRUE, "The 'pool' must be a whole number from 1 to 100000; got 0."),
        ({"cases": True}, TRUE, "The 'cases' of the file must be a number, or the path of a file"),
        ({"cases": "no.txt"}, TRUE, "no.txt cannot be read: No such file"),
        ({}, "", "[reward] must have a 'command' or a 'function'; it has neither."),
        ({}, f"{TRUE}\nfunction = 'a:b'", "a 'command' or a 'function'; it has both."),
        ({}, "command = 3", "The 'command' of [reward] must be a text for the shell, or a list"),
        ({}, "command = []", "must be a text for the shell, or a list of words; got []"),
        ({}, "command = ' '", "must be a text for the shell, or a list of words; got ' '"),
        ({}, "command = ['a', 3]", "must be a text for the shell, or a list of words"),
        ({}, "command = ['{foo}']", "has {foo}, which is unknown"),
        ({}, "command = \"echo '{arm}'\"", "{arm} within single quotes"),
        ({}, "function = 'a.b'", "must be written as package.module:function; got 'a.b'."),
        ({}, "function = 'a:b'\nresult = 'exit'", "must be left out with a function"),
        ({}, f"{TRUE}\nresult = 'x'", "must be one of 'exit', 'number'; got 'x'."),
        ({}, f"{TRUE}\ntimeout = 0", "must be a number of seconds up to 10000000; got 0."),
        ({}, f"{TRUE}\ntimeout = 'x'", "must be a number of seconds up to 10000000; got 'x'."),
        ({}, f"{TRUE}\non_timeout = 'lost'", "must come with a timeout; got 'lost'."),
        ({}, f"{TRUE}\ntimeout = 1\non_timeout = 'x'", "must be one of 'failure', 'lost'"),
        ({}, f"{TRUE}\non_error = 'go'", "must be one of 'stop', 'failure', 'lost'; got 'go'"),
        ({}, f"{TRUE}\nloss_is_independent = 1", "must be True or False; got 1."),
        ({}, f"{TRUE}\nenv = 3", "The 'env' of [reward] must be a table of variables; got 3."),
        ({}, f"{TRUE}\nenv = {{X = 3}}", "The 'X' of [reward.env] must be a text"),
        ({}, f"{TRUE}\nenv = {{'a=b' = 'x'}}", "must be a name of letters, digits and under"),
        ({}, f"{TRUE}\nenv = {{GOODARM_ARM = 'x'}}", "must be left to goodarm, which sets it"),
        ({"rewards": "bounded", "low": 1, "high": 5, "threshold": 3}, f"{TRUE}\nresult = 'exit'",
         'must be "number", because exit codes give 0 and 1, and a reward must be a number '
         "from 1.0"),
        ({"rewards": "gaussian", "sigma": 1}, f"{TRUE}\ntimeout = 1",
         'The \'on_timeout\' of [reward] must not be "failure" for gaussian rewards'),
        ({"rewards": "gaussian", "sigma": 1}, f"{TRUE}\non_error = 'lost'",
         "must be true if pulls may get lost, because Gaussian rewards have no worst case"),
        ({"algorithm": "hdoc+kelly"}, f"{TRUE}\ntimeout = 1\non_timeout = 'lost'",
         "because the bets of the kelly rule depend on the rewards before"),
    ],
)  # fmt: skip
def test_what_is_refused(write, keys, reward, message):
    path = write(reward=reward, **{"arms": ["a", "b"], **keys})
    with pytest.raises(SpecError) as refused:
        read_experiment_file(path)
    assert str(refused.value).startswith("experiment.toml: ")
    assert message in str(refused.value)
    assert COMMAND_LINE.sentence(refused.value) == str(refused.value)


@pytest.mark.parametrize("name", ["arms", "threshold"])
def test_what_must_be_there(tmp_path, name):
    lines = [line for line in make_toml(["a"], TRUE).splitlines() if not line.startswith(name)]
    (tmp_path / "x.toml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(SpecError, match=f"x.toml: The file must have a '{name}'"):
        read_experiment_file(tmp_path / "x.toml")


def test_delta_may_be_left_out(tmp_path):
    lines = [line for line in make_toml(["a"], TRUE).splitlines() if not line.startswith("delta")]
    (tmp_path / "x.toml").write_text("\n".join(lines), encoding="utf-8")
    assert read_experiment_file(tmp_path / "x.toml").problem.delta == 0.05


def test_a_file_without_rewards(tmp_path):
    text = 'arms = ["a"]\nthreshold = 0.5\ndelta = 0.1\n'
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match=r"x.toml: The file must have a table \[reward\]"):
        read_experiment_file(tmp_path / "x.toml")


def test_a_name_that_does_not_come_from_the_file(write):
    with pytest.raises(SpecError, match="Add a 'name', or rename the file"):
        read_experiment_file(write(["a"], TRUE, path="my experiment.toml"))


def test_what_is_no_file_or_no_toml(tmp_path):
    with pytest.raises(SpecError, match="There is no file .*`goodarm run --init` writes"):
        read_experiment_file(tmp_path / "x.toml")
    (tmp_path / "x.toml").write_text("arms = [", encoding="utf-8")
    with pytest.raises(SpecError, match="x.toml is not valid TOML: Invalid value"):
        read_experiment_file(tmp_path / "x.toml")
    (tmp_path / "x.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(SpecError, match="x.toml is not valid TOML"):
        read_experiment_file(tmp_path / "x.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\n \n", "is empty"), (b"\xff\xfe", "must be text in UTF-8"), (b"a\0b", "null character")],
)
def test_cases_that_cannot_be_read(write, tmp_path, content, message):
    (tmp_path / "cases.txt").write_bytes(content)
    with pytest.raises(SpecError, match=message):
        read_experiment_file(write(["a"], TRUE, cases="cases.txt"))


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("sqlite:///x.db", "{folder}/x.db"),
        ("sqlite:////srv/x.db", "/srv/x.db"),
        ("sqlite:///../x.db", "{folder}/../x.db"),
        (None, "{folder}/experiment.db"),
    ],
)
def test_where_it_is_kept(write, tmp_path, store, shown):
    more = {} if store is None else {"store": store}
    assert read_experiment_file(write(["a"], TRUE, **more)).database == Path(
        shown.format(folder=tmp_path)
    )


def test_the_example_is_read_and_never_written_over(tmp_path):
    path = tmp_path / "mine.toml"
    write_example(path)
    file = read_experiment_file(path)
    assert file.problem.arms == ("brass", "copper", "tin")
    assert "goodarm run mine.toml" in path.read_text(encoding="utf-8")
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(SpecError, match="already exists. It was not changed."):
        write_example(path)
    assert path.read_text(encoding="utf-8") == "precious"


def test_it_says_what_silence_means(write):
    lost = 'meaning = "lost"\nseconds = 3600'
    assert read_experiment_file(
        write(["a"], f"{TRUE}\n[silence]\n{lost}")
    ).reward_timeout == RewardTimeout("lost", 3600)
    assert read_experiment_file(write(["a"], TRUE)).reward_timeout == RewardTimeout()
    with pytest.raises(SpecError, match="be a table"):
        read_experiment_file(write(["a"], TRUE, silence="lost"))
    for text, message in (
        ("second = 3", "no key 'second' in .silence.. Did you mean 'seconds'"),
        (f"{lost}\notherwise = 1", "The 'otherwise' of \\[silence\\] must be given if a missing"),
        ('meaning = "lost"', "The 'seconds' of \\[silence\\] must be a number above 0"),
    ):
        with pytest.raises(SpecError, match=message):
            read_experiment_file(write(["a"], f"{TRUE}\n[silence]\n{text}"))
