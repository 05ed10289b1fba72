"""Experiments that are kept: what was acknowledged is there, once, whoever asks how often."""

import random
import threading

import pytest

import goodarm as ga
from goodarm.errors import ProtocolError, SpecError, StoreFull, StoreTampered
from goodarm.experiment import Silence
from goodarm.store import Store, open_recorder
from goodarm.store.memory import MemoryRecorder, _Turn

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.2)
RATES = {"a": 0.9, "b": 0.6, "c": 0.1}


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.large)])
def open_again(request, clock, opener):
    """Opens the same store again, as another process would."""
    if request.param == "memory":
        recorder = MemoryRecorder()
        return lambda: Store(recorder, clock)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: Store(opener(url), clock)


def test_it_is_an_identifier_that_survives(open_again):
    """A new process for every request, and the same run as an identifier's."""
    ident = ga.Identifier(COINS, seed=5)
    luck = random.Random(0)
    open_again().experiment("coins", COINS, seed=5)
    while not ident.is_done:
        with open_again() as store:
            pulls = store.experiment("coins").ask_many(9)
        assert pulls == ident.ask_many(9)
        rewards = [int(luck.random() < RATES[pull.arm]) for pull in pulls]
        with open_again() as store:
            store.experiment("coins").tell_many(pulls, rewards)
        ident.tell_many(pulls, rewards)
    exp = open_again().experiment("coins")
    assert exp.is_done
    assert (exp.verdict, exp.pulls, exp.waiting) == (ident.verdict, ident.pulls, [])
    assert exp.reports() == ident.reports()
    assert exp.explain("a") == ident.explain("a")
    exp.verify()
    with pytest.raises(ProtocolError, match="the run is over"):
        exp.ask()


def test_a_key_makes_any_request_safe_to_repeat(open_again):
    exp = open_again().experiment("coins", COINS)
    first = exp.ask_many(3, key="one")
    assert exp.ask_many(3, key="one") == first
    other = open_again().experiment("coins")
    assert other.ask_many(3, key="one") == first
    assert other.ask_many(3, key="two") != first
    other.tell(first[0], 1, key="three")
    exp.tell(first[0], 1, key="three")
    other.observe_many("a", [1, 1], key="four")
    exp.observe_many("a", [1, 1], key="four")
    assert exp.pulls == other.pulls == 3
    assert len(exp.waiting) == 5
    for request in (
        lambda: exp.ask_many(2, key="one"),
        lambda: exp.tell(first[1], 1, key="three"),
        lambda: other.observe_many("a", [1, 0], key="four"),
    ):
        with pytest.raises(ProtocolError, match="was used for another request"):
            request()
    assert exp.pulls == 3


def test_a_key_repeats_the_answer_that_there_was_nothing_new(open_again):
    exp = open_again().experiment("coins", COINS)
    held = exp.ask_many(2, "ann")
    assert exp.ask_many(2, "ann", key="again") == held
    exp.tell_many(held, [1, 0])
    assert exp.ask_many(2, "ann", key="again") == held
    assert exp.ask_many(2, "ann", key="new") != held


def test_the_same_reward_is_acknowledged_and_another_refused(open_again):
    exp = open_again().experiment("coins", COINS)
    pull = exp.ask()
    exp.tell(pull, 1)
    exp.tell(pull, 1)
    with pytest.raises(ProtocolError, match="was told 1.0 before"):
        open_again().experiment("coins").tell(pull, 0)
    assert exp.pulls == 1
    assert [entry["kind"] for entry in exp.journal()] == ["asked", "told"]


def test_what_is_refused_leaves_no_entry(open_again):
    exp = open_again().experiment("coins", COINS)
    pull = exp.ask()
    for wrong in (
        lambda: exp.tell(pull, 2),
        lambda: exp.tell(ga.Pull(7, "a"), 1),
        lambda: exp.tell_many([pull], [1, 0]),
        lambda: exp.ask_many(0),
        lambda: exp.ask(lease=-1),
        lambda: exp.add_arm("d"),
        lambda: exp.observe_many("nobody", [1]),
    ):
        with pytest.raises((SpecError, ProtocolError)):
            wrong()
    assert len(exp.journal()) == 1


def test_a_worker_has_its_pulls_again_and_no_other_has_them(open_again, clock):
    store = open_again()
    exp = store.experiment("coins", COINS)
    ann = exp.ask_many(2, "ann", lease=60)
    assert open_again().experiment("coins").ask_many(2, "ann", lease=60) == ann
    bob = exp.ask_many(2, "bob", lease=60)
    assert not set(ann) & set(bob)
    clock.now += 61
    new = exp.ask_many(2, "ann", lease=60)
    assert not set(new) & set(ann)
    exp.tell_many(ann, [1, 1])  # late, and still in their own places
    assert exp.pulls == 2
    exp.verify()


def test_a_case_whose_lease_ended_is_leased_again_under_its_number(open_again, clock):
    exp = open_again().experiment("cases", ga.Problem(["a"], 0.5, 0.2, pool=30))
    ann = exp.ask_many(2, "ann", lease=60)
    clock.now += 61
    assert open_again().experiment("cases").ask_many(2, "bob", lease=60) == ann
    exp.tell_many(ann, [1, 0])
    assert exp.pulls == 2
    assert not set(exp.ask_many(2, "bob")) & set(ann)


@pytest.mark.parametrize(
    ("silence", "kind", "pulls"),
    [
        (Silence("reward", 100, otherwise=0), "told", 3),
        (Silence("lost", 100), "forgotten", 3),
        (Silence("lost", 100, is_independent=True), "forgotten", 0),
    ],
)
def test_silence_means_what_the_experiment_says(open_again, clock, silence, kind, pulls):
    exp = open_again().experiment("coins", COINS, silence=silence)
    exp.ask_many(3)
    clock.now += 101
    exp.ask()
    *_, entry, _ = exp.journal()
    assert (entry["kind"], entry["is_silence"]) == (kind, True)
    assert exp.pulls == pulls
    exp.verify()


def test_a_clock_that_goes_back_does_no_harm(open_again, clock):
    exp = open_again().experiment("coins", COINS)
    exp.ask(lease=10)
    clock.now -= 500
    exp.ask()
    times = [entry["at"] for entry in exp.journal()]
    assert times == sorted(times)
    open_again().experiment("coins").verify()


def test_pause_resume_close_and_arms_that_join(open_again):
    problem = ga.Problem(["a"], 0.5, 0.2, arms_planned=2)
    exp = open_again().experiment("joining", problem)
    pull = exp.ask()
    exp.pause()
    with pytest.raises(ProtocolError, match="paused"):
        open_again().experiment("joining").ask()
    exp.tell(pull, 1)
    exp.resume()
    exp.add_arm("b")
    assert open_again().experiment("joining").problem.arms == ("a", "b")
    with pytest.raises((SpecError, ProtocolError), match="arms_planned"):
        exp.add_arm("c")
    assert exp.ask().arm == "b"
    exp.close()
    assert exp.is_done
    with pytest.raises(ProtocolError, match="closed"):
        exp.tell(exp.waiting[0], 1)
    exp.verify()


def test_another_problem_under_the_same_name_shows_the_difference(open_again):
    open_again().experiment("coins", COINS, seed=1)
    open_again().experiment("coins", COINS)
    with pytest.raises(SpecError, match="problem threshold 0.5, not 0.6"):
        open_again().experiment("coins", ga.Problem(["a", "b", "c"], 0.6, 0.2))
    with pytest.raises(SpecError, match="seed 1, not 2"):
        open_again().experiment("coins", COINS, seed=2)
    with pytest.raises(SpecError, match="There is no experiment 'other'"):
        open_again().experiment("other")
    for name in ("", "a/b", "-a", "a" * 65, "a b", 3):
        with pytest.raises(SpecError, match="'name' of Store.experiment"):
            open_again().experiment(name, COINS)


def test_experiments_are_listed_and_deleted(open_again):
    store = open_again()
    store.experiment("b", COINS)
    gone = store.experiment("a", COINS)
    gone.ask()
    assert open_again().experiments() == [("a", 1), ("b", 0)]
    assert store.delete("a")
    assert not store.delete("a")
    with pytest.raises(ga.GoodArmError, match="was deleted"):
        gone.ask()


def test_a_commit_that_fails_has_counted_nothing(open_again, monkeypatch):
    store = open_again()
    exp = store.experiment("coins", COINS)
    pull = exp.ask()

    def full(*_):
        raise StoreFull("There is no room left.")

    with monkeypatch.context() as patch:
        patch.setattr(type(store._recorder), "turn", full)
        with pytest.raises(StoreFull):
            exp.tell(pull, 1)
    assert (exp.pulls, exp.waiting) == (0, [pull])
    exp.tell(pull, 1)
    assert open_again().experiment("coins").pulls == 1


def run_workers(handles, pulls_each, seed):
    """Threads that ask and tell, and repeat some requests; what each was acknowledged."""
    noted, failures = [], []

    def work(number):
        luck, exp = random.Random(f"{seed} {number}"), handles[number % len(handles)]
        try:
            for turn in range(pulls_each):
                key = f"{number}-{turn}"
                for _ in range(luck.choice([1, 1, 2])):
                    pulls = exp.ask_many(2, key=f"ask {key}")
                for pull in pulls:
                    reward = int(luck.random() < 0.5)
                    for _ in range(luck.choice([1, 1, 2])):
                        exp.tell(pull, reward, key=f"tell {pull.number}")
                    noted.append((pull, reward))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not failures
    return noted


@pytest.mark.slow
def test_threads_and_handles_share_an_experiment(open_again):
    """Each reward that was acknowledged is there once, and no pull was given twice."""
    problem = ga.Problem(6, 0.5, 1e-9)  # no label comes in between
    stores = [open_again() for _ in range(3)]
    handles = [store.experiment("shared", problem, seed=1) for store in stores]
    noted = run_workers(handles, 12, 0)
    assert len({pull.number for pull, _ in noted}) == len(noted) == 8 * 12 * 2
    told = {}
    for entry in handles[0].journal():
        if entry["kind"] == "told":
            for number, reward in zip(entry["pulls"], entry["rewards"], strict=True):
                assert number not in told
                told[number] = reward
    assert told == {pull.number: reward for pull, reward in noted}
    assert handles[1].pulls == len(noted)
    open_again().experiment("shared").verify()


def test_threads_that_wait_share_a_commit(monkeypatch):
    recorder = MemoryRecorder()
    exp = Store(recorder).experiment("shared", ga.Problem(2, 0.5, 1e-9), seed=1)
    sizes, gate = [], threading.Event()
    append = _Turn.append

    def slowly(turn, last, rows):
        gate.wait(10)
        sizes.append(len(rows))
        append(turn, last, rows)

    monkeypatch.setattr(_Turn, "append", slowly)
    threads = [threading.Thread(target=exp.ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    while len(exp._committer._jobs) < 5:
        pass
    gate.set()
    for thread in threads:
        thread.join(30)
    assert sizes == [1, 5]
    assert len(exp.waiting) == 6


def test_a_journal_that_was_tampered_with_is_found(clock):
    recorder = MemoryRecorder()
    exp = Store(recorder, clock).experiment("coins", COINS, seed=2)
    while not exp.is_done:
        pulls = exp.ask_many(5)
        exp.tell_many(pulls, [int(pull.arm == "a") for pull in pulls])
    exp.verify()
    (journal,) = recorder._ids.values()
    place = next(n for n, row in enumerate(journal.rows) if '"label": 1' in row.text)
    row = journal.rows[place]
    text = row.text.replace('"label": 1', '"label": -1')
    journal.rows[place] = row._replace(text=text)
    with pytest.raises(StoreTampered, match=f"the first is entry {row.number}"):
        Store(recorder, clock).experiment("coins").verify()


def test_a_store_is_a_context_manager(tmp_path):
    with ga.open_store(f"sqlite:///{tmp_path / 'kept.db'}") as store:
        store.experiment("coins", COINS).ask()
    with ga.open_store(f"sqlite:///{tmp_path / 'kept.db'}") as store:
        assert store.experiments() == [("coins", 1)]
    assert open_recorder("memory:").heads() == []
