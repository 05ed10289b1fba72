"""Public names: each has a docstring with an example, and each old one leads to the new one."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from types import FunctionType

import pytest

import goodarm as ga
from cli.conftest import invoke  # noqa: F401 (a fixture)
from goodarm import errors, logs, old_names, results, rewards, rules, simulation, store, testing
from goodarm.client import RemoteExperiment
from goodarm.live import ExperimentVerbs

PROBLEM = ga.Problem(["a", "b"], threshold=0.5)


def resolve(path):
    """What a path below ``goodarm`` stands for, loaded as its reader would."""
    found = ga
    for name in path.split("."):
        found = getattr(found, name)
    return found


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
    assert resolve(new).__name__.rpartition(".")[2].lower() == new.rpartition(".")[2].lower()


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


MODULES = (ga, errors, logs, results, rewards, rules, simulation, store, testing)
CALLABLES = {
    f"{module.__name__}.{name}": thing
    for module in MODULES
    for name in module.__all__
    if inspect.isclass(thing := getattr(module, name)) or inspect.isroutine(thing)
} | {"goodarm.client.RemoteExperiment": RemoteExperiment}
CLASSES = {name: thing for name, thing in CALLABLES.items() if inspect.isclass(thing)}
METHODS = {
    f"{name}.{method}": (made, method)
    for name, made in CLASSES.items()
    if made is not testing.StoreContract  # its methods are tests
    for method, found in inspect.getmembers_static(made)
    if not method.startswith("_")
    and isinstance(found, FunctionType | staticmethod | classmethod)
    and method not in getattr(made, "__dataclass_fields__", ())
    and inspect.unwrap(getattr(made, method)).__module__.startswith("goodarm.")
}
PROPERTIES = {
    f"{name}.{attribute}": found
    for name, made in CLASSES.items()
    for attribute, found in inspect.getmembers_static(made)
    if isinstance(found, property) and not attribute.startswith("_")
}
OBVIOUS = re.compile(r"(Return|Yield|Create|Describe)\b|.*(; |, and )return ")
"""First lines of methods that say what is returned."""


def parse_sections(*docs):
    """The sections of Google docstrings, as a mapping from title to text."""
    found = {}
    for doc in docs:
        for title, text in re.findall(
            r"(?ms)^(Args|Returns|Yields|Raises):\n(.*?)(?=^\S|\Z)", inspect.cleandoc(doc or "")
        ):
            found.setdefault(title, "")
            found[title] += text
    return found


def named_arguments(sections):
    """Names before a colon in a section of arguments; several may share a line."""
    heads = re.findall(r"(?m)^    (\*{0,2}\w+(?:, \*{0,2}\w+)*):", sections.get("Args", ""))
    return {name.strip(" *") for head in heads for name in head.split(",")}


def parameters(function):
    names = [*inspect.signature(function).parameters]
    return {name for name in names if name not in ("self", "cls") and not name.startswith("_")}


def raises(function):
    """Whether the function's own lines raise an error of goodarm for its callers."""
    lines = textwrap.dedent(inspect.getsource(inspect.unwrap(function)))
    return any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(ast.parse(lines)))


def inherited_docs(made, method):
    """Docstrings of a method: its own, its bases', and that of the protocol of experiments."""
    protocol = [ga.Experiment] if issubclass(made, ExperimentVerbs) else []
    return [
        vars(base)[method].__doc__ for base in (*made.__mro__, *protocol) if method in vars(base)
    ]


@pytest.mark.parametrize("name", CALLABLES)
def test_every_public_class_and_function_has_an_example(name):
    assert ">>> " in (CALLABLES[name].__doc__ or "")


@pytest.mark.parametrize("name", [name for name in CALLABLES if name not in CLASSES])
def test_a_function_describes_arguments_result_and_errors(name):
    function = CALLABLES[name]
    sections = parse_sections(function.__doc__)
    assert parameters(function) == named_arguments(sections)
    returned = inspect.signature(function).return_annotation not in (None, "None")
    assert returned == ("Returns" in sections) or OBVIOUS.match(function.__doc__)
    assert "Raises" in sections or not raises(function)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_describes_arguments_and_errors(name):
    made = CLASSES[name]
    if made is ga.Experiment or inspect.isabstract(made):  # nobody calls them
        return
    sections = parse_sections(*(base.__doc__ for base in made.__mro__ if base is not object))
    assert parameters(made) <= named_arguments(sections)
    for method in ("__init__", "__post_init__"):
        own = vars(made).get(method)
        if own and own.__code__.co_filename == inspect.getsourcefile(made):
            assert "Raises" in sections or not raises(own)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_describes_arguments_result_and_errors(name):
    made, method = METHODS[name]
    function = getattr(made, method)
    docs = inherited_docs(made, method)
    sections = parse_sections(*docs)
    assert docs[0]
    assert parameters(function) <= named_arguments(sections)
    returned = inspect.signature(function).return_annotation not in (None, "None")
    assert "Returns" in sections or not returned or OBVIOUS.match(docs[0]) or "plot" in name
    assert {"Raises", "Yields"} & {*sections} or not raises(function)


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_says_what_it_is(name):
    assert PROPERTIES[name].__doc__


@pytest.mark.parametrize("name", errors.__all__)
def test_examples_of_errors_call_what_raises_them(name):
    assert "raise " not in getattr(errors, name).__doc__


FORMER_FRONT = [
    "Algorithm",
    "AlgorithmInfo",
    "ArmReport",
    "Betting",
    "CheckTable",
    "Client",
    "CountsRule",
    "Experiment",
    "GateResult",
    "GoodArmError",
    "HalfNormal",
    "Hoeffding",
    "Identifier",
    "Kelly",
    "Lil",
    "LilParameters",
    "LogTable",
    "MissingExtra",
    "Mixture",
    "Plan",
    "Problem",
    "ProtocolError",
    "Pull",
    "Runs",
    "SamplingRule",
    "Serving",
    "Silence",
    "SpecError",
    "Store",
    "StoredExperiment",
    "Tape",
    "Verdict",
    "View",
    "Warmup",
    "algorithms",
    "check",
    "lil_parameters",
    "open_store",
    "plan",
    "prove",
    "read",
    "rewards",
    "simulate",
]
"""Public names before they changed."""


@pytest.mark.parametrize("name", FORMER_FRONT)
def test_no_name_of_the_front_is_lost_without_a_word(name):
    assert (name in ga.__all__) != (name in old_names.NAMES)
