"""An identifier shared by threads: no pull is lost, none is given twice."""

import copy
import json
import pickle
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import goodarm as ga
from helpers import NAMED

THREADS = 8
PULLS = 1500
SECONDS = 60
"""Far more than it takes."""


@pytest.fixture
def impatience():
    """Threads give way to each other after every microsecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def reward_of(pull):
    return pull.number * 7 % 11 % 2


def work(ident, number):
    """Ask in one way or another and tell in another order, until nothing is left to ask."""
    mine, late, end = [], [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        pulls = ident.ask_many(1 + number % 3 * 5)
        if not pulls:
            break
        mine += pulls
        for pull in reversed(pulls):
            if pull.number % 13 == 0:
                late.append(pull)
            else:
                ident.tell(pull, reward_of(pull))
        if len(mine) % 5 == 0:
            assert ident.verdict.pulls <= PULLS
            assert len(ident.waiting) <= PULLS
    for pull in late[::2]:
        ident.forget(pull, loss_is_independent=True)
    ident.tell_many(late[1::2], map(reward_of, late[1::2]))
    return mine


@pytest.mark.slow
@pytest.mark.parametrize("name", ["e-hdoc", "hdoc", "cho2025"])
def test_eight_threads_lose_and_double_no_pull(name, impatience):
    problem = ga.Problem(7, 0.45, 1e-9, max_pulls=PULLS)
    ident = ga.Identifier(problem, name, seed=0)
    with ThreadPoolExecutor(THREADS) as pool:
        shares = list(pool.map(lambda number: work(ident, number), range(THREADS)))
    asked = sorted(pull for share in shares for pull in share)
    assert [pull.number for pull in asked] == list(range(1, PULLS + 1))
    assert ident.is_done
    assert ident.waiting == []

    document = ident.to_dict()
    assert document["asked"]["arm"] == [pull.arm for pull in asked]
    dropped = set(document["dropped"])
    told = [None if pull.number in dropped else reward_of(pull) for pull in asked]
    assert document["asked"]["reward"] == told
    assert ident.pulls == PULLS - len(dropped)
    for arm, report in enumerate(ident.table()):
        rewards = [reward for pull, reward in zip(asked, told, strict=True) if pull.arm == arm]
        kept = [reward for reward in rewards if reward is not None]
        assert report.pulls == len(kept)
        assert report.mean == pytest.approx(sum(kept) / len(kept))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_goes_on_by_itself(name, copied):
    ident = ga.Identifier(ga.Problem(["a", "b", "c"], 0.5, 0.2), name, seed=3)
    pulls = ident.ask_many(9)
    ident.tell_many(pulls[1:], [pull.number % 2 for pull in pulls[1:]])
    before = json.dumps(ident.to_dict())
    other = copied(ident)
    assert json.dumps(other.to_dict()) == before
    other.tell(pulls[0], 1)
    other.tell(other.ask(), 1)
    assert json.dumps(ident.to_dict()) == before
    ident.tell(pulls[0], 1)
    ident.tell(ident.ask(), 1)
    assert json.dumps(other.to_dict()) == json.dumps(ident.to_dict())
