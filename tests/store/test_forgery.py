"""Forged journals: an import computes labels and evidence again, and refuses what differs."""

import json
import random
from pathlib import Path

import pytest

import goodarm as ga
from goodarm.errors import SpecError, StoreTampered
from goodarm.store import Store
from goodarm.store.memory import MemoryRecorder

MEANS = {"a": 0.9, "b": 0.1, "c": 0.8}
GOLDEN = Path(__file__).parents[1] / "golden" / "journal-1.jsonl"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request, opener):
    """An empty store of each kind."""
    if request.param == "memory":
        return Store(MemoryRecorder())
    return Store(opener(request.getfixturevalue(f"{request.param}_url")))


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A file with labels that fell by tells and by an observation, and with a pull given up."""
    path = tmp_path_factory.mktemp("exported") / "coins.jsonl"
    luck = random.Random(3)
    with ga.open_store("memory:") as store:
        exp = store.experiment("coins", ga.Problem([*MEANS, "d"], 0.5, 0.05), seed=1)
        exp.observe("d", [0] * 40)
        exp.forget(exp.ask())
        while not exp.is_done:
            pull = exp.ask(key=f"ask {exp.entries}")
            exp.tell(pull, int(luck.random() < MEANS[pull.arm]))
        store.export("coins", path)
    return path


def documents_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def labelled(documents, kind="told", place=0):
    """The number of an entry in which a label fell, and the entry."""
    found = [
        (number, line["entry"])
        for number, line in enumerate(documents)
        if number and line["entry"]["kind"] == kind and line["entry"].get("labels")
    ]
    return found[place]


def other_label(documents):
    """The forgery of the report: one label turned round."""
    number, entry = next(
        (number, line["entry"])
        for number, line in enumerate(documents)
        if number and any(label["label"] == -1 for label in line["entry"].get("labels", ()))
        and line["entry"]["kind"] == "told"
    )  # fmt: skip
    entry["labels"][0]["label"] = 1
    return number, r"'label' of arm 'b' is 1 \(good\), and its rewards prove -1 \(bad\)"


def other_evidence(documents):
    number, entry = labelled(documents)
    proven = entry["labels"][0]["evidence"]
    entry["labels"][0]["evidence"] = proven + 1e-6
    return number, f"'evidence' of arm .* is {proven + 1e-6!r}, and its rewards prove {proven!r}"


def no_evidence(documents):
    number, entry = labelled(documents)
    entry["labels"][0]["evidence"] = None
    return number, "'evidence' of arm .* is None, and its rewards prove"


def labelled_after_fewer_pulls(documents):
    number, entry = labelled(documents)
    entry["labels"][0]["pulls"] -= 1
    return number, "'pulls' of arm .*, and its rewards prove"


def label_dropped(documents):
    number, entry = labelled(documents)
    del entry["labels"]
    return number, r"'labels' has nothing for arm .*, and its rewards prove it -?1 \((good|bad)\)"


def label_added(documents):
    number, line = next(
        (number, line) for number, line in enumerate(documents)
        if number and line["entry"]["kind"] == "told"
    )  # fmt: skip
    (pull,) = line["entry"]["pulls"]
    (arm,) = next(
        each["entry"]["arms"] for each in documents[1:]
        if each["entry"]["kind"] == "asked" and each["entry"]["first"] == pull
    )  # fmt: skip
    line["entry"]["labels"] = [{"arm": arm, "label": 1, "pulls": 1, "evidence": 9.0}]
    return number, "and its rewards prove no label there"


def labelled_later(documents):
    """The label stands in the next entry with a reward, and not where it fell."""
    number, entry = labelled(documents)
    labels = entry.pop("labels")
    later = next(
        line["entry"] for line in documents[number + 1 :] if line["entry"]["kind"] == "told"
    )
    later["labels"] = [*labels, *later.get("labels", ())]
    return number, "'labels' has nothing for arm"


def label_of_another_arm(documents):
    number, entry = labelled(documents)
    entry["labels"][0]["arm"] = 2
    return number, "'labels' has arm 'c' as .* its rewards prove no label there; .* nothing for arm"


def labelled_twice(documents):
    number, entry = labelled(documents)
    entry["labels"] *= 2
    return number, "an arm is labelled twice in it"


def label_of_another_type(documents):
    number, entry = next(
        (number, line["entry"]) for number, line in enumerate(documents)
        if number and any(label["label"] == 1 for label in line["entry"].get("labels", ()))
    )  # fmt: skip
    entry["labels"][0]["label"] = True
    return number, "True is no label"


def observed_label(documents):
    number, entry = labelled(documents, "observed")
    entry["labels"][0]["label"] = 1
    return number, r"'label' of arm 'd' is 1 \(good\), and its rewards prove -1 \(bad\)"


def other_reward(documents):
    """The one that brought a label is turned round: it proves nothing then."""
    number, entry = labelled(documents)
    entry["rewards"] = [1 - entry["rewards"][0]]
    return number, "its rewards prove"


def other_arm_of_a_reward(documents):
    """Of the first pull of an arm with a label, which is then one short of it."""
    _, entry = labelled(documents)
    arm = entry["labels"][0]["arm"]
    asked = next(
        line["entry"] for line in documents[1:]
        if line["entry"]["kind"] == "asked" and line["entry"]["arms"] == [arm]
    )  # fmt: skip
    asked["arms"] = [2]
    return None, "its rewards prove"


def other_arm_of_an_observation(documents):
    documents[1]["entry"]["arm"] = 2
    return 1, "'labels' has arm 'd' as .* its rewards prove no label there; .* nothing for arm 'c'"


def other_number_of_a_pull(documents):
    number, entry = labelled(documents)
    entry["pulls"] = [entry["pulls"][0] + 1]
    return number, "there is no such pull"


def other_number_of_asked(documents):
    number, line = next(
        (number, line) for number, line in enumerate(documents)
        if number and line["entry"]["kind"] == "asked"
    )  # fmt: skip
    line["entry"]["first"] += 1
    return number, "its pulls do not follow those before"


def earlier(documents):
    number, entry = labelled(documents)
    entry["at"] = 1.0
    return number, "it is earlier than the one before it"


def given_up(documents):
    """A pull whose reward was told is given up, in an arm that is labelled later."""
    _, entry = labelled(documents)
    arm = entry["labels"][0]["arm"]
    asked = [
        line["entry"]["first"] for line in documents[1:]
        if line["entry"]["kind"] == "asked" and line["entry"]["arms"] == [arm]
    ]  # fmt: skip
    told = next(
        line["entry"] for line in documents[1:]
        if line["entry"]["kind"] == "told" and line["entry"]["pulls"][0] in asked
    )  # fmt: skip
    told["kind"] = "forgotten"
    del told["rewards"]
    return None, "its rewards prove"


def other_threshold(documents):
    documents[0]["experiment"]["problem"]["threshold"] = 0.4
    return None, "its rewards prove"


def worker_of_another_type(documents):
    number, line = next(
        (number, line) for number, line in enumerate(documents)
        if number and line["entry"]["kind"] == "asked"
    )  # fmt: skip
    line["entry"]["worker"] = ["ann"]
    return number, "its worker is no name"


def insert(documents, number, kind, **fields):
    """Put an entry in at this number, at the time of the one before, and renumber the rest."""
    at = documents[number - 1]["entry"]["at"]
    documents.insert(number, {"entry": {"kind": kind, "format": 1, "at": at} | fields})
    documents[0]["entries"] += 1
    for place, line in enumerate(documents[1:], 1):
        line["number"] = place


def label_taken_away(documents):
    """The arm is taken out after its label fell, which would leave it undecided."""
    _, entry = labelled(documents)
    arm = entry["labels"][0]["arm"]
    insert(documents, len(documents), "taken_out", arm=arm)
    return len(documents) - 1, "its arm is labelled, or out of play"


def taken_out_twice(documents):
    insert(documents, 2, "taken_out", arm=2)
    insert(documents, 3, "taken_out", arm=2)
    return 3, "its arm is labelled, or out of play"


def asked_during_a_pause(documents):
    number = next(
        number for number, line in enumerate(documents)
        if number > 1 and line["entry"]["kind"] == "asked"
    )  # fmt: skip
    insert(documents, number, "paused")
    return number + 1, "the experiment was paused"


def asked_beyond_max_pulls(documents):
    documents[0]["experiment"]["problem"]["max_pulls"] = 7
    asked = [n for n, line in enumerate(documents) if n and line["entry"]["kind"] == "asked"]
    return asked[7], "it asks pull 8, and max_pulls is 7"


FORGERIES = [
    *(other_label, other_evidence, no_evidence, labelled_after_fewer_pulls, label_dropped),
    *(label_added, labelled_later, label_of_another_arm, labelled_twice, label_of_another_type),
    *(observed_label, other_reward, other_arm_of_a_reward, other_arm_of_an_observation),
    *(other_number_of_a_pull, other_number_of_asked, earlier, given_up, other_threshold),
    *(worker_of_another_type, label_taken_away, taken_out_twice, asked_during_a_pause),
    asked_beyond_max_pulls,
]


def forge(exported, tmp_path, forgery):
    """A forged copy of the file, the number of its first wrong entry, and what is to be said."""
    documents = documents_of(exported)
    number, says = forgery(documents)
    path = tmp_path / "forged.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    return path, number, says


def check_refused(store, path, number, says):
    with pytest.raises(StoreTampered, match=says) as raised:
        store.import_(path)
    said = str(raised.value)
    assert "Nothing was imported" in said
    assert "'coins'" in said
    if number is not None:
        assert f"entry {number}" in said.lower()


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_journal_is_refused(exported, tmp_path, forgery):
    path, number, says = forge(exported, tmp_path, forgery)
    with ga.open_store("memory:") as store:
        check_refused(store, path, number, says)
        assert store.experiments() == []


BEHIND_THE_END = {
    "asked": {"first": 4, "arms": [0]},
    "told": {"pulls": [2], "rewards": [1]},
    "forgotten": {"pulls": [2]},
    "observed": {"arm": 0, "rewards": [1]},
    "expired": {"pulls": [2]},
    "added": {"arm": "new"},
    "taken_out": {"arm": 0},
    "paused": {},
    "resumed": {},
    "closed": {},
}
"""An entry of each kind that would be possible before the end."""


@pytest.fixture
def closed(tmp_path):
    """A file of an experiment that was closed, with room for more, and closed again by a key."""
    path = tmp_path / "closed.jsonl"
    with ga.open_store("memory:") as store:
        problem = ga.Problem(["a", "b"], 0.5, 0.05, arms_planned=3)
        exp = store.experiment("coins", problem, seed=1)
        pulls = exp.ask_many(3, worker="ann", lease=3600)
        exp.tell(pulls[0], 1)
        exp.close()
        exp.close(key="again")
        store.export("coins", path)
    return path


def test_what_goodarm_writes_behind_the_end_is_imported(closed):
    assert documents_of(closed)[-1]["entry"]["kind"] == "noted"
    with ga.open_store("memory:") as store:
        assert store.import_(closed).is_done


@pytest.mark.parametrize("kind", BEHIND_THE_END)
def test_nothing_comes_behind_the_end(closed, tmp_path, kind):
    documents = documents_of(closed)
    number = len(documents)
    insert(documents, number, kind, **BEHIND_THE_END[kind])
    path = tmp_path / "forged.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    with ga.open_store("memory:") as store:
        check_refused(store, path, number, "the experiment was closed")


def test_what_goodarm_writes_during_a_pause_is_imported(tmp_path):
    """A worker is told again what it holds, and leases end; its case is leased again later."""
    path, now = tmp_path / "paused.jsonl", [1000.0]
    with Store(MemoryRecorder(), lambda: now[0]) as store:
        exp = store.experiment("coins", ga.Problem(2, 0.5, 0.05, pool=20), seed=1)
        pulls = exp.ask_many(2, worker="ann", lease=60)
        exp.pause()
        assert exp.ask_many(2, worker="ann", key="again") == pulls
        now[0] += 100
        exp.tell(pulls[0], 1)
        exp.resume()
        assert exp.ask(worker="bob") == pulls[1]
        store.export("coins", path)
    with ga.open_store("memory:") as store:
        assert store.import_(path).entries == len(documents_of(path)) - 1


def test_every_store_refuses_and_stays_as_it_was(store, exported, tmp_path):
    other = store.experiment("other", ga.Problem(2, 0.5, 0.05), seed=1)
    other.ask()
    before = store.experiments(), other.journal()
    path, number, says = forge(exported, tmp_path, other_label)
    check_refused(store, path, number, says)
    with pytest.raises(StoreTampered, match=says):
        store.import_(path, "another")
    with pytest.raises(StoreTampered, match=says):
        store.import_(path, "other")
    assert (store.experiments(), other.journal()) == before


def test_a_true_journal_is_imported(store, exported, tmp_path):
    exp = store.import_(exported)
    assert exp.verify().labels >= 3
    assert [json.loads(json.dumps(entry)) for entry in exp.journal()] == [
        line["entry"] for line in documents_of(exported)[1:]
    ]
    store.export("coins", tmp_path / "again.jsonl")
    assert documents_of(tmp_path / "again.jsonl") == documents_of(exported)
    assert store.import_(exported).entries == exp.entries  # again: it is there


def test_the_golden_journal_is_imported(store):
    assert store.import_(GOLDEN).verify() == (113, 115, 3, "")


@pytest.mark.parametrize("key", ["first", "k" * 256, "a\0b"])
def test_a_key_that_no_store_can_keep_leaves_nothing_behind(store, tmp_path, key):
    """Twice in the file, too long, or with a NUL: known before the experiment is created."""
    documents = documents_of(GOLDEN)
    documents[2] |= {"key": key, "digest": "0"}
    path = tmp_path / "keys.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in documents), encoding="utf-8")
    with pytest.raises(SpecError, match="Entry [23] of the journal is damaged: .*'key'"):
        store.import_(path)
    assert store.experiments() == []
