"""An identifier as a JSON document and back, bit for bit.

Arms stand in arm order. Written down is what cannot be derived: each arm's counts and queue, and
what became of every pull.
"""

import math
from collections import defaultdict
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_count, check_document, check_number
from goodarm.errors import GoodArmError, SpecError
from goodarm.identifier.ledger import DROPPED, LOST, OUT, TOLD, Block, Ledger
from goodarm.identifier.report import LABELS
from goodarm.identifier.standings import Standings
from goodarm.problem import Problem

_KIND: Final = "identifier"
_OWNER: Final = "the identifier document"
_CODES: Final = {label: code for code, label in LABELS.items()}
_KEYS: Final = ("problem", "algorithm", "seed", "arms", "asked", "lost", "dropped", "good", "pulls")
_COUNTS: Final = ("pulls", "sums", "lost", "labelled_at", "held", "told", "told_sums")


class Parts(NamedTuple):
    """What an identifier is made of."""

    problem: Problem
    algorithm: Algorithm
    seed: int
    standings: Standings
    ledger: Ledger
    good: list[int]
    pulls: int


def write(ident: Parts) -> dict[str, Any]:
    """The state of an identifier as a JSON document."""
    counts, ledger, problem = ident.standings, ident.ledger, ident.problem
    columns = {name: getattr(counts, name).tolist() for name in _COUNTS}
    arms = []
    for position, arm in enumerate(problem.arms):
        entry: dict[str, Any] = {"arm": arm, "label": LABELS[int(counts.labels[position])]}
        entry |= {name: column[position] for name, column in columns.items()}
        entry["queue"] = [
            _block(item) if isinstance(item, Block) else item
            for item in ledger.queues.get(position, ())
        ]
        if counts.bets:
            entry["wealth"] = counts.wealth[position].tolist()
        arms.append(entry)
    rewards = [
        reward if state == TOLD else None
        for reward, state in zip(ledger.rewards, ledger.states, strict=True)
    ]
    return {
        "kind": _KIND,
        "format": 1,
        "problem": problem.to_dict(),
        "algorithm": ident.algorithm.describe(problem),
        "seed": ident.seed,
        "arms": arms,
        "asked": {"arm": list(ledger.arms), "reward": rewards},
        "lost": ledger.numbers_in(LOST),
        "dropped": ledger.numbers_in(DROPPED),
        "good": [problem.arms[position] for position in ident.good],
        "pulls": ident.pulls,
    }


def read(document: object, algorithm: Algorithm | None) -> tuple[Problem, Algorithm, int]:
    """The problem, algorithm and seed that a document names; the algorithm may be given."""
    fields = check_document(document, _KIND, _KEYS)
    problem = Problem.from_dict(fields["problem"])
    seed = check_count("seed", _OWNER, fields["seed"], least=0)
    known = Algorithm.from_dict(fields["algorithm"]) if algorithm is None else algorithm
    if known.describe(problem) != _without_zeros(fields["algorithm"]):
        raise SpecError(
            "The identifier document was written with other parameters of its algorithm than this "
            "version of goodarm computes. Resume it with the version that wrote it."
        )
    return problem, known, seed


def fill(ident: Parts, document: Any) -> int:
    """Bring a fresh identifier to the state written down, and return its pulls."""
    try:
        return _fill(ident, document)
    except GoodArmError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise SpecError(f"The identifier document is damaged: {error}.") from error


def _without_zeros(algorithm: dict[str, Any]) -> dict[str, Any]:
    """Older documents give epsilon and c, as 0, to rules that have none."""
    numbers = algorithm.get("parameters")
    if not isinstance(numbers, dict):
        return algorithm
    kept = {name: value for name, value in numbers.items() if value != 0 or name == "warmup"}
    return {**algorithm, "parameters": kept}


def _fill(ident: Parts, fields: Any) -> int:
    """The same; a ValueError says why it cannot."""
    counts, ledger, problem = ident.standings, ident.ledger, ident.problem
    arms = fields["arms"]
    _expect(
        [entry["arm"] for entry in arms] == list(problem.arms), "its arms are not its problem's"
    )
    for name in _COUNTS:
        values = [entry[name] for entry in arms]
        is_sum = name.endswith("sums")
        known = all(type(value) is (float if is_sum else int) for value in values)
        _expect(
            known and all(map(math.isfinite, values)), f"the {name} of its arms are not numbers"
        )
        _expect(is_sum or min(values) >= 0, f"the {name} of its arms are negative")
        getattr(counts, name)[:] = values
    if counts.bets:
        counts.wealth[:] = [entry["wealth"] for entry in arms]
        _expect(not np.isnan(counts.wealth).any(), "the wealth of its arms is not numbers")
    counts.labels[:] = [_CODES[entry["label"]] for entry in arms]
    counts.restore()

    _fill_ledger(ident, fields)
    for position, entry in enumerate(arms):
        for item in entry["queue"]:
            ledger.queues[position].append(_queued(ident, position, item))
    _check_counts(ident)

    ident.good.extend(problem.position(arm) for arm in fields["good"])
    labelled = np.flatnonzero(counts.labels == _CODES["good"])
    _expect(np.array_equal(np.sort(ident.good), labelled), "its good arms do not fit their labels")
    return check_count("pulls", _OWNER, fields["pulls"], least=0)


def _fill_ledger(ident: Parts, fields: Any) -> None:
    """What became of every pull."""
    ledger, problem = ident.ledger, ident.problem
    positions, rewards = fields["asked"]["arm"], fields["asked"]["reward"]
    _expect(len(positions) == len(rewards), "it does not have a reward or null for each pull")
    for position, reward in zip(positions, rewards, strict=True):
        known = check_count("asked", _OWNER, position, least=0, most=problem.num_arms - 1)
        ledger.arms.append(known)
        ledger.rewards.append(0.0 if reward is None else problem.check_reward(reward, _OWNER))
        ledger.states.append(OUT if reward is None else TOLD)
    for name, state in (("lost", LOST), ("dropped", DROPPED)):
        for number in fields[name]:
            asked = check_count(name, _OWNER, number, most=len(ledger))
            _expect(ledger.states[asked - 1] == OUT, f"pull {number} has two fates")
            ledger.states[asked - 1] = state
    ledger.out = ledger.states.count(OUT)


def _check_counts(ident: Parts) -> None:
    """Each arm's counts fit each other, its queue, and the pulls that were asked of it."""
    counts, ledger = ident.standings, ident.ledger
    asked: defaultdict[int, list[int]] = defaultdict(list)
    for number, position in enumerate(ledger.arms, start=1):
        asked[position].append(number)
    for position, arm in enumerate(ident.problem.arms):
        n, lost, total = counts.pulls[position], counts.lost[position], counts.sums[position]
        _expect(lost <= n, f"arm {arm!r} lost more pulls than it has")
        is_possible = ident.problem.rewards == "gaussian" or 0.0 <= total <= n - lost
        _expect(is_possible, f"the sum of arm {arm!r} does not fit its pulls")
        if counts.labels[position] != _CODES["undecided"]:
            _expect(counts.labelled_at[position] > 0, f"arm {arm!r} was labelled at no pull")
            continue
        queue = ledger.queues.get(position, ())
        numbers = [item for item in queue if not isinstance(item, Block)]
        _expect(numbers == sorted(set(numbers)), f"the queue of arm {arm!r} is out of order")
        waiting = set(numbers)
        entered = [k for k in asked[position] if k not in waiting]
        _expect(
            all(ledger.states[k - 1] != OUT for k in entered),
            f"a pull of arm {arm!r} that is out does not wait in its queue",
        )
        entered_count = sum(ledger.states[k - 1] != DROPPED for k in entered)
        _expect(entered_count <= n, f"arm {arm!r} counts fewer pulls than entered its test")
        queued = sum(
            item.size if isinstance(item, Block) else ledger.states[item - 1] != DROPPED
            for item in queue
        )
        _expect(counts.held[position] == n + queued, f"the pulls of arm {arm!r} do not add up")
        _expect(counts.told[position] <= n + queued, f"arm {arm!r} was told more than it was asked")


def _block(block: Block) -> dict[str, Any]:
    """Rewards that wait together; one by one only where the rule bets on each."""
    document: dict[str, Any] = {"size": block.size, "total": block.total}
    return document | ({"rewards": list(block.rewards)} if block.rewards else {})


def _queued(ident: Parts, position: int, item: Any) -> int | Block:
    """What waits in an arm's queue: a block, or the number of a pull of this arm."""
    if isinstance(item, dict):
        size = check_count("size", _OWNER, item["size"])
        rewards = tuple(check_number("rewards", _OWNER, x) for x in item.get("rewards", ()))
        _expect(
            len(rewards) == (size if ident.standings.bets else 0),
            f"a block of arm {ident.problem.arms[position]!r} does not hold its rewards",
        )
        return Block(size, check_number("total", _OWNER, item["total"]), rewards)
    number = check_count("queue", _OWNER, item, most=len(ident.ledger))
    _expect(ident.ledger.arms[number - 1] == position, f"pull {number} waits at another arm")
    return number


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
