"""GoodArm in Inspect itself, in an environment of its own: ``make test-inspect``, of test-all."""

import gc
import re

import pytest

import goodarm as ga
from goodarm.plugins.inspect import GoodArm
from helpers import ROOT
from plugins.inspect_calls import find_gate, naive_result, sample_words, tell_in_order, verdict

pytestmark = [
    pytest.mark.large,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Inspect leaves streams open
]

COMMON = {"display": "none", "max_samples": 10}


@pytest.fixture
def host():
    """Inspect. Streams that it leaves open are collected within the test, which expects them."""
    yield pytest.importorskip(
        "inspect_ai", reason="it has an environment of its own: make test-inspect"
    )
    gc.collect()


@pytest.fixture
def evaluate(host, tmp_path):
    """A function that runs a task, and reads the log that was written."""

    def run(task, model="mockllm/model", **options):
        logs = host.eval(task, model=model, log_dir=str(tmp_path), **COMMON, **options)
        return [host.log.read_eval_log(log.location) for log in logs]

    return run


@pytest.fixture
def resume(host, tmp_path, monkeypatch):
    """A function that goes on with an evaluation, once its fatal samples are healed."""

    def run(log, **options):
        monkeypatch.setenv("HEALED", "1")
        (log,) = host.eval_retry(log.location, log_dir=str(tmp_path), **COMMON, **options)
        return host.log.read_eval_log(log.location)

    return run


def yes(*given, **named):
    """The task, which needs Inspect."""
    from data.inspect import questions

    return questions.yes(*given, **named)


def find_question_at(position, count, seed):
    """The id that stands there, from 0, in a shuffled dataset."""
    from data.inspect import questions

    return questions.questions(count, seed)[position].id


def test_the_docs_print_what_is_shown(host, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/inspect.md").read_text(encoding="utf-8")
    namespace, shown = {}, []
    for language, content in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if language == "py":
            exec(content, namespace)
        else:
            shown.append(content)
    assert capsys.readouterr().out == "".join(shown)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Inspect's, of tenacity
def test_the_mock_model_is_not_asked_everything(host, evaluate):
    asked = []

    def answer(messages, tools, tool_choice, config):
        asked.append(messages[-1].text)
        output = host.model.ModelOutput.from_content("mockllm/model", "yes")
        output.usage = host.model.ModelUsage()  # else it counts tokens, and fetches a table
        return output

    task = yes(100, "task")
    task.solver = host.solver.generate()
    model = host.model.get_model("mockllm/model", custom_outputs=answer)
    (log,) = evaluate(task, model=model, sample_shuffle=2)
    assert (find_gate(log).label, find_gate(log).passes) == ("good", find_gate(log).pulls)
    assert find_gate(log).pulls <= len(asked) < 100


def test_samples_stop_at_an_epoch_of_their_own(evaluate):
    (log,) = evaluate(yes(3, rate=0.99), epochs=120)
    assert log.status == "success"
    labels = [document["label"] for document in verdict(log)["gates"]]
    assert labels == ["good"] * 3
    assert verdict(log)["sentence"] == "3 samples: 3 good, 0 bad, 0 undecided."
    stops = log.results.early_stopping.early_stops
    assert log.results.early_stopping.manager == "goodarm"
    assert len(stops) + len(log.samples) == 360
    assert len(log.samples) < 180
    assert all(stop.reason.startswith("good: ") for stop in stops)


@pytest.mark.parametrize(("rate", "label"), [(0.98, "good"), (0.4, "bad")])
def test_a_task_stops_when_the_share_is_proven(evaluate, rate, label):
    (log,) = evaluate(yes(150, "task", rate), sample_shuffle=5)
    assert (log.status, find_gate(log).label) == ("success", label)
    assert find_gate(log) == tell_in_order(log)
    assert find_gate(log).pool == 150
    assert len(log.samples) < 80


def test_a_limit_makes_the_pool(evaluate):
    (log,) = evaluate(yes(150, "task"), sample_shuffle=5, limit=60)
    assert find_gate(log).pool == 60
    assert find_gate(log) == tell_in_order(log)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "'dataset' of GoodArm must be shuffled"),
        ({"sample_shuffle": 5, "epochs": 2}, "'epochs' of GoodArm must be 1"),
        ({"sample_shuffle": 5, "log_samples": False}, "'log_samples' of GoodArm must be true"),
    ],
)
def test_a_task_that_cannot_be_judged_is_refused(evaluate, options, message):
    (log,) = evaluate(yes(20, "task"), **options)
    assert log.status == "error"
    assert message in log.error.message


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize("scored", [True, False])
def test_ten_at_a_time_with_errors_and_retries(evaluate, retries, scored):
    (log,) = evaluate(
        yes(150, "task", errors=0.1),
        sample_shuffle=5,
        retry_on_error=retries,
        score_on_error=scored,
        fail_on_error=False,
    )
    assert (log.status, find_gate(log).label) == ("success", "good")
    assert len(log.samples) < 150
    if retries == 0:
        assert find_gate(log) == tell_in_order(log)
        assert (find_gate(log).lost == 0) is scored
    else:  # some of those to be tried again were left out, and are not in the log
        assert find_gate(log).lost > 5
        assert find_gate(log).passes == sample_words(log)[: find_gate(log).pulls].count("pass")


def test_errors_that_are_not_stopped_are_lost_with_their_retries(evaluate):
    (log,) = evaluate(
        yes(60, "task", 0.8, errors=0.2), sample_shuffle=5, retry_on_error=1, fail_on_error=False
    )
    assert find_gate(log).label == "undecided"
    assert find_gate(log) == tell_in_order(log)
    assert any(sample.error_retries and sample.scores for sample in log.samples)


def test_a_scorer_is_chosen_by_its_name(evaluate):
    labels = [
        find_gate(evaluate(yes(100, "task", 0.3, two=True, by=by), sample_shuffle=1)[0]).label
        for by in ("match", "content")
    ]
    assert labels == ["bad", "good"]
    (log,) = evaluate(yes(100, "task", two=True), sample_shuffle=1)
    assert "'scorer' of GoodArm must be named" in log.error.message


def test_two_models_side_by_side_have_a_verdict_each(evaluate):
    logs = evaluate(
        yes(80, "task"), model=["mockllm/a", "mockllm/b"], sample_shuffle=5, max_tasks=2
    )
    assert [log.eval.model for log in logs] == ["mockllm/a", "mockllm/b"]
    for log in logs:
        assert find_gate(log) == tell_in_order(log)


def test_an_evaluation_that_is_resumed(evaluate, resume):
    fatal = find_question_at(28, 150, 3)
    (first,) = evaluate(yes(150, "task", 0.9, fatal=(fatal,), seed=3))
    assert first.status == "error"
    ended = {sample.id for sample in first.samples if sample.error is None}
    order = first.eval.dataset.sample_ids
    assert len(ended) > 10

    log = resume(first)
    assert log.status == "success"
    assert log.eval.dataset.sample_ids == order
    expected = sample_words(log)
    for at, id_ in enumerate(order[: max(map(order.index, ended))]):
        if id_ not in ended:  # it had begun before, and broke or was stopped
            expected[at] = "lost"
    assert expected[order.index(fatal)] == "lost"
    assert find_gate(log) == naive_result(ga.Problem(["yes"], 0.8, 0.05, pool=150), expected)


def test_an_eval_set_goes_on_with_the_same_object(host, tmp_path, monkeypatch):
    starts, start_task = [], GoodArm.start_task

    async def healing(self, task, samples, epochs):
        starts.append(self)
        if len(starts) == 2:
            monkeypatch.setenv("HEALED", "1")
        return await start_task(self, task, samples, epochs)

    monkeypatch.setattr(GoodArm, "start_task", healing)
    is_done, (log,) = host.eval_set(
        yes(150, "task", 0.9, fatal=(find_question_at(28, 150, 3),), seed=3),
        model="mockllm/model",
        log_dir=str(tmp_path),
        retry_attempts=1,
        retry_wait=1,
        **COMMON,
    )
    assert is_done
    assert starts[0] is starts[1]
    log = host.log.read_eval_log(log.location)
    assert find_gate(log).label == "good"
    assert find_gate(log).lost > 5  # all that were at work


def test_a_resumed_evaluation_in_another_order_is_refused(evaluate, resume):
    (first,) = evaluate(yes(60, "task", 0.8, fatal=(30,)), sample_shuffle=True)
    assert first.status == "error"
    log = resume(first)
    assert "'sample_shuffle' of GoodArm must be a seed" in log.error.message


def test_a_resumed_evaluation_of_epochs(evaluate, resume):
    (first,) = evaluate(yes(2, rate=0.9, errors=0.02), epochs=60)
    assert first.status == "error"
    log = resume(first, fail_on_error=False)
    assert [document["arm"] for document in verdict(log)["gates"]] == [1, 2]
    assert sum(document["lost"] for document in verdict(log)["gates"]) > 0
