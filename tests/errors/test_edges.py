"""One wrong value, at four edges: the same rule and remedy, each in the edge's own words."""

import re

import pytest

import goodarm as ga
from cli.conftest import invoke  # noqa: F401 (a fixture)
from goodarm.service import Settings, create_app
from goodarm.service.json_wording import WORDING
from goodarm.service.pages.new_experiment_fields import DEFAULTS, FORM_WORDING, TITLES
from goodarm.wording import COMMAND_LINE
from service.in_process import API, client_of
from service.pages.site import Tags, site_of
from service.servers import in_thread

CASES = [
    ({"threshold": 85.0}, "threshold"),
    ({"threshold": -3.0}, "threshold"),
    ({"delta": 5.0}, "delta"),
    ({"delta": 0.0}, "delta"),
    ({"margin": -1.0}, "margin"),
    ({"margin": 0.6}, "margin"),
    ({"low": 1.0}, "low"),
    ({"rewards": "bounded", "low": 2.0, "high": 1.0, "threshold": 1.5}, "high"),
    ({"rewards": "gaussian"}, "sigma"),
    ({"sigma": 1.0}, "sigma"),
    ({"until": 9}, "until"),
    ({"until": 0}, "until"),
    ({"max_pulls": 0}, "max_pulls"),
    ({"arms_planned": 1}, "arms_planned"),
    ({"gap": 0.9}, "gap"),
    ({"gap": -1.0}, "gap"),
]
ARMS = ["a", "b"]
AT = {"threshold": 0.5, "delta": 0.05}
OPTION = re.compile(r"--\w")
KEYWORD = re.compile(r"\b[a-z]+(_[a-z]+)*=\S")
POINTER = re.compile(r"(?<![\w.])/[a-z]+")


def python_error(given):
    with pytest.raises(ga.errors.SpecError) as raised:
        ga.Problem(ARMS, **{**AT, **given})
    return raised.value


def make_command(given):
    words = ["simulate", "--means", ".9,.1", "--runs", "1"]
    for name, value in {**AT, **given}.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    return words


@pytest.fixture(scope="module")
def site():
    with site_of() as opened:
        yield opened


@pytest.fixture(scope="module")
def client():
    with ga.open_store("memory:") as store, client_of(create_app(store, Settings())) as opened:
        yield opened


def on_form(site, given):
    """What the form says, by field."""
    fields = {**DEFAULTS, "name": "banners", "arms": "a\nb", "threshold": "0.5", "delta": "0.05"}
    fields |= {name: str(value) for name, value in given.items()}
    answer = site.send("/new", {**fields, "do": "plan"})
    assert answer.status_code == 422, answer.text
    return Tags(answer.text).text


def over_http(client, given):
    body = {"name": "banners", "problem": {"arms": ARMS, **AT, **given}}
    answer = client.post(API, json=body)
    assert answer.status_code == 422
    return answer.json()


@pytest.mark.parametrize(("given", "argument"), CASES, ids=str)
def test_the_same_rule_and_remedy_in_the_words_of_each_edge(
    given,
    argument,
    invoke,  # noqa: F811
    site,
    client,
):
    error = python_error(given)
    assert error.argument == argument
    python = str(error)
    assert python.startswith(f"The '{argument}' of Problem must ")
    assert not OPTION.search(python)
    assert not POINTER.search(python)

    result = invoke(make_command(given))
    command = result.stderr.removeprefix("goodarm: ").rstrip("\n")
    assert result.exit_code == 2
    assert command == COMMAND_LINE.sentence(error)
    assert command.startswith(f"--{argument.replace('_', '-')} must ")
    assert not KEYWORD.search(command)
    assert not POINTER.search(command)

    form, shown = FORM_WORDING.sentence(error), on_form(site, given)
    assert " ".join(form.split()) in shown
    assert form.startswith(f"{TITLES[argument]} must ")
    assert not KEYWORD.search(form)
    assert not OPTION.search(form)
    assert not POINTER.search(form)

    document = over_http(client, given)
    assert document["detail"] == WORDING.sentence(error)
    assert document["detail"].startswith(f"/problem/{argument} must ")
    assert not KEYWORD.search(document["detail"])
    assert not OPTION.search(document["detail"])
    (found,) = document["errors"]
    assert found["pointer"] == f"/problem/{argument}"
    assert (found["argument"], found["owner"]) == (argument, "Problem")
    assert ("remedy" in found) == (error.remedy != "")


def test_all_that_is_wrong_is_said_at_once(site, client):
    given = {"threshold": 85.0, "delta": 5.0, "max_pulls": 0}
    document = over_http(client, given)
    assert {each["pointer"] for each in document["errors"]} == {
        f"/problem/{name}" for name in given
    }
    shown = on_form(site, given)
    for title in ("Threshold", "Delta", "Maximum pulls"):
        assert f"{title} must " in shown


def test_a_remote_experiment_raises_what_a_stored_one_does():
    """The service speaks of pointers, the client of arguments again."""
    with (
        ga.open_store("memory:") as there,
        in_thread(create_app(there, Settings())) as address,
        ga.Client(address) as remote,
        ga.open_store("memory:") as store,
    ):
        problem = ga.Problem(ARMS, **AT)
        sentences = []
        for keeper in (remote, store):
            exp = keeper.experiment("a", problem, seed=7)
            pull = exp.ask()
            said = []
            for call in (
                lambda exp=exp, pull=pull: exp.tell(pull, 3.0),
                lambda exp=exp: exp.tell(ga.Pull(9, "a", None), 1),
                lambda exp=exp: exp.add_arm("c"),
                lambda exp=exp: exp.take_out("c"),
            ):
                with pytest.raises(ga.errors.GoodArmError) as raised:
                    call()
                error = raised.value
                said.append((type(error), str(error), error.argument, error.owner))
            sentences.append(said)
            with pytest.raises(ga.errors.SpecError) as raised:
                exp.note("")
            assert (raised.value.argument, raised.value.owner) == ("text", "note")
    assert sentences[0] == sentences[1]
