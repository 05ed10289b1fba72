"""Public names: each has a docstring with an example, and each old one leads to the new one."""

import importlib
import inspect
import subprocess
import sys

import pytest

import goodarm as ga
from cli.conftest import invoke  # noqa: F401 (a fixture)
from goodarm import errors, old_names, results, rewards, rules

PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (ga, errors, results, rewards, rules)
    for name in module.__all__
    if name != "__version__" and not inspect.ismodule(getattr(module, name))
}
PROBLEM = ga.Problem(["a", "b"], threshold=0.5)


def resolve(path):
    """What a path below ``goodarm`` stands for, loaded as its reader would."""
    found = ga
    for name in path.split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name):
    assert ">>> " in (PUBLIC[name].__doc__ or "")


def test_the_front_is_small():
    assert len(ga.__all__) <= 24


@pytest.mark.parametrize(("old", "new"), old_names.NAMES.items())
def test_an_old_name_gives_the_new_one(old, new):
    sentence = f"goodarm.{old} is now goodarm.{new}."
    with pytest.raises(AttributeError) as refused:
        getattr(ga, old)
    assert str(refused.value) == sentence
    with pytest.raises(ImportError) as refused:
        exec(f"from goodarm import {old}", {})
    assert str(refused.value) == sentence
    assert not hasattr(ga, old)
    assert resolve(new).__name__.lower() == new.rpartition(".")[2].lower()


def test_new_names_load_what_they_need():
    """In a new process, where no package is loaded yet."""
    script = (
        f"import goodarm as ga\nfor name in {[*old_names.NAMES.values()]}:\n    eval('ga.' + name)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def things():
    """An object of each class that has old attributes."""
    store = ga.open_store("memory:")
    plan = ga.plan([0.9, 0.1], threshold=0.5, runs=2)
    return {
        "Forecast": plan.forecasts[0],
        "GateResult": ga.prove(lambda: True, threshold=0.5),
        "Identifier": ga.Identifier(PROBLEM),
        "Plan": plan,
        "RewardTimeout": ga.RewardTimeout(),
        "StoredExperiment": store.experiment("one", PROBLEM),
    }


def test_an_old_attribute_gives_the_new_one():
    found = things()
    assert {*found} == {*old_names.ATTRIBUTES} - {"RemoteExperiment"}
    for kind, thing in found.items():
        for old, new in old_names.ATTRIBUTES[kind].items():
            with pytest.raises(AttributeError, match=f"{old!r}: it is now {new!r}"):
                getattr(thing, old)
            assert hasattr(thing, new)
        with pytest.raises(AttributeError, match=f"{kind!r} object has no attribute 'nonsense'$"):
            thing.nonsense  # noqa: B018


def test_remote_experiments_have_the_names_of_stored_ones():
    remote = importlib.import_module("goodarm.client").RemoteExperiment
    for old, new in old_names.ATTRIBUTES["RemoteExperiment"].items():
        assert hasattr(remote, new)
        with pytest.raises(AttributeError, match=f"it is now {new!r}"):
            getattr(object.__new__(remote), old)


def test_an_old_keyword_gives_the_new_one():
    client = ga.Client("http://127.0.0.1:1")
    calls = {
        "Client.experiment": lambda **old: client.experiment("one", PROBLEM, **old),
        "RewardTimeout": lambda **old: ga.RewardTimeout("reward", 60, **old),
        "Store.experiment": lambda **old: ga.open_store("memory:").experiment("one", **old),
        "prove": lambda **old: ga.prove(bool, threshold=0.5, **old),
    }
    assert {*calls} == {*old_names.KEYWORDS}
    for owner, call in calls.items():
        for old, new in old_names.KEYWORDS[owner].items():
            with pytest.raises(TypeError) as refused:
                call(**{old: 1})
            assert str(refused.value) == f"The argument {old!r} of {owner} is now {new!r}."
    client.close()


def test_an_old_option_gives_the_new_one(invoke):  # noqa: F811
    for command, options in old_names.OPTIONS.items():
        for old, new in options.items():
            for words in ([old, "x"], [f"{old}=x"]):
                result = invoke([command, *words])
                assert result.exit_code == 2
                assert f"The option {old} is now {new}." in result.stderr
            assert new in invoke([command, "--help"]).stdout


def test_an_old_gap_of_a_plan_gives_the_distance(invoke):  # noqa: F811
    with pytest.raises(errors.SpecError, match="The 'distance' of plan must .* is now called dist"):
        ga.plan(num_arms=3, gap=0.1, threshold=0.5)
    result = invoke(["plan", "--num-arms", "3", "--gap", ".1", "--threshold", ".5"])
    assert result.exit_code == 2
    assert "is now called --distance." in result.stderr


@pytest.mark.parametrize("name", [name for name in ga.__all__ if name.islower()])
def test_data_come_first_and_all_else_has_its_name(name):
    function = getattr(ga, name)
    if not inspect.isfunction(function):
        return
    kinds = [each.kind for each in inspect.signature(function).parameters.values()]
    assert kinds[:1] in ([], [inspect.Parameter.POSITIONAL_OR_KEYWORD])
    assert {*kinds[1:]} <= {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    ("function", "keywords"),
    [
        (ga.check, "threshold=..., delta=..."),
        (ga.plan, "threshold=..., delta=..."),
        (ga.prove, "threshold=..., delta=..."),
        (ga.read_logs, "format=..."),
        (ga.simulate, "threshold=..., delta=..."),
    ],
)
def test_a_second_argument_without_its_name_is_told_the_keyword(function, keywords):
    first = next(iter(inspect.signature(function).parameters))
    with pytest.raises(TypeError) as refused:
        function([0.9, 0.1], 0.5, 0.05)
    name = function.__name__
    assert str(refused.value) == (
        f"{name}() takes {first!r} alone without its name; write {name}({first}, {keywords})"
    )


@pytest.mark.parametrize("function", [ga.Problem, ga.check, ga.plan, ga.simulate, ga.prove])
def test_delta_is_a_twentieth_unless_given(function):
    assert inspect.signature(function).parameters["delta"].default == 0.05


def test_delta_is_a_twentieth_unless_given_in_results():
    assert PROBLEM.delta == ga.check({"a": (9, 8)}, threshold=0.5).delta == 0.05
    assert ga.simulate([0.9], threshold=0.5, runs=1).problem.delta == 0.05
    assert ga.plan([0.9], threshold=0.5, runs=1).problem.delta == 0.05
