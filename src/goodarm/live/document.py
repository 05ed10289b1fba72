"""JSON document of an identifier, and back, bit for bit.

Arms stand in arm order. Written down is what cannot be derived: each arm's counts and queue, and
what became of every pull.
"""

import math
from typing import Any, Final

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_count, check_document, check_number
from goodarm.errors import GoodArmError, SpecError
from goodarm.kernels.live.records import DROPPED, LOST, OUT, PULL, TOLD
from goodarm.live.identifier_core import IdentifierCore
from goodarm.live.reward_queue import Block
from goodarm.problem import CODES, LABELS, Problem, from_money_units, to_money_units

_KIND: Final = "identifier"
_OWNER: Final = "the identifier document"
_REQUIRED_KEYS: Final = (
    "problem",
    "algorithm",
    "seed",
    "arms",
    "asked",
    "lost",
    "dropped",
    "good",
    "pulls",
)
_REWARD_TYPES: Final = {bool, int, float, type(None)}
_COUNT_KEYS: Final = ("pulls", "sums", "lost", "labelled_at", "held", "told", "told_sums")
_CHANGE_KEYS: Final = ("added", "taken_out")
_ARM_KEYS: Final = (
    *("arm", "label", *_COUNT_KEYS, "queue", "wealth", "observed", "observed_cases"),
    *_CHANGE_KEYS,
)
_PULL_KEYS: Final = ("arm", "reward", "case", "cost")


def write_document(core: IdentifierCore) -> dict[str, Any]:
    """Return the state of an identifier as a JSON document."""
    counts, queue, problem = core.arms, core.queue, core.problem
    columns = {name: getattr(counts, name).tolist() for name in _COUNT_KEYS}
    labels = counts.labels.tolist()
    arms = []
    for position, arm in enumerate(problem.arms):
        entry: dict[str, Any] = {"arm": arm, "label": LABELS[labels[position]]}
        entry |= {name: column[position] for name, column in columns.items()}
        entry["queue"] = [
            _make_block_document(item) if isinstance(item, Block) else item
            for item in queue.items(position)
        ]
        if counts.bets:
            entry["wealth"] = counts.wealth[position].tolist()
            entry["observed"] = core.observations.document(position)
        if problem.pool is not None:
            entry["observed_cases"] = core.cases.observed[position]
        if position >= core.cases.num_first:
            entry["added"] = True
        if position in counts.taken_out:
            entry["taken_out"] = True
        arms.append(entry)
    rewards: list[float | None] = counts.log("reward").tolist()
    for number in np.flatnonzero(counts.log("state") != TOLD).tolist():
        rewards[number] = None
    asked: dict[str, Any] = {"arm": counts.log("arm").tolist(), "reward": rewards}
    if problem.pool is not None:
        asked["case"] = counts.log("case").tolist()
    if core.money is not None and core.money.own:
        own = core.money.own
        asked["cost"] = [
            from_money_units(own[number]) if number in own else None
            for number in range(1, counts.asked + 1)
        ]
    return {
        "kind": _KIND,
        "format": 1,
        "problem": problem.to_dict(),
        "algorithm": core.algorithm.describe(problem),
        "seed": core.seed,
        "arms": arms,
        "asked": asked,
        "lost": queue.find_numbers(LOST),
        "dropped": queue.find_numbers(DROPPED),
        "good": [problem.arms[position] for position in core.tests.good],
        "pulls": int(counts.progress["pulls"]),
    }


def read_document(document: object, algorithm: Algorithm | None) -> tuple[Problem, Algorithm, int]:
    """Return the problem, algorithm and seed of a document; the algorithm may be given."""
    fields = check_document(document, _KIND, _REQUIRED_KEYS)
    _refuse_unknown(fields, (*_REQUIRED_KEYS, "kind", "format"))
    problem = Problem.from_dict(fields["problem"])
    seed = check_count("seed", _OWNER, fields["seed"], least=0)
    known = Algorithm.from_dict(fields["algorithm"]) if algorithm is None else algorithm
    if known.describe(problem) != _remove_zeros(fields["algorithm"]):
        raise SpecError(
            "The identifier document was written with other parameters of its algorithm than this "
            "version of goodarm computes.",
            argument="algorithm",
            owner=_OWNER,
            rule="have the parameters that this version computes",
            value=fields["algorithm"],
            remedy="Resume it with the version that wrote it.",
        )
    return problem, known, seed


def fill_core(core: IdentifierCore, document: Any) -> None:
    """Bring a new identifier to the state of a document."""
    try:
        _fill_fields(core, document)
    except GoodArmError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise SpecError(
            f"The identifier document is damaged: {error}.",
            argument="document",
            owner="Identifier.from_dict",
            rule="be what to_dict wrote",
        ) from error


def _refuse_unknown(fields: Any, known: tuple[str, ...]) -> None:
    """Raise an error for keys of a newer version: what they mean may matter."""
    unknown = [key for key in fields if key not in known]
    if unknown:
        raise SpecError(
            f"The identifier document has keys that this version of goodarm does not know: "
            f"{unknown!r}.",
            argument=str(unknown[0]),
            owner=_OWNER,
            rule="be left out",
            value=fields[unknown[0]],
            remedy="Resume it with the version that wrote it.",
        )


def _remove_zeros(algorithm: dict[str, Any]) -> dict[str, Any]:
    """Return the algorithm without the zeros that older documents give for epsilon and c."""
    numbers = algorithm.get("parameters")
    if not isinstance(numbers, dict):
        return algorithm
    kept = {name: value for name, value in numbers.items() if value != 0 or name == "warmup"}
    return {**algorithm, "parameters": kept}


def _fill_fields(core: IdentifierCore, fields: Any) -> None:
    """Fill in the state; raise a ValueError that says why it cannot be."""
    counts, problem = core.arms, core.problem
    arms = fields["arms"]
    _refuse_unknown(fields["asked"], _PULL_KEYS)
    for entry in arms:
        _refuse_unknown(entry, _ARM_KEYS)
    _expect(
        [entry["arm"] for entry in arms] == list(problem.arms), "its arms are not its problem's"
    )
    for name in _COUNT_KEYS:
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
        for position, entry in enumerate(arms):
            core.observations.restore(position, entry.get("observed", []))
    counts.labels[:] = [CODES[entry["label"]] for entry in arms]
    _fill_changes(core, arms)

    core.tests.good.extend(problem.position(arm) for arm in fields["good"])
    labelled = np.flatnonzero(counts.labels == CODES["good"])
    _expect(
        np.array_equal(np.sort(core.tests.good), labelled),
        "its good arms do not fit their labels",
    )
    pulls = check_count("pulls", _OWNER, fields["pulls"], least=0)
    _fill_log(core, fields)
    _fill_queues(core, [entry["queue"] for entry in arms])
    counts.restore(pulls)
    _fill_costs(core, fields["asked"])
    if problem.pool is not None:
        core.cases.restore([entry.get("observed_cases", []) for entry in arms])


def _fill_changes(core: IdentifierCore, arms: list[Any]) -> None:
    """Fill in which arms were added, and which were taken out."""
    for entry in arms:
        marks = [entry[name] for name in _CHANGE_KEYS if name in entry]
        _expect(all(mark is True for mark in marks), "a mark of an arm is not true")
    added = ["added" in entry for entry in arms]
    first = added.index(True) if any(added) else len(arms)
    _expect(first > 0 and all(added[first:]), "the arms that were added are not the last ones")
    is_planned = first == len(arms) or core.problem.arms_planned is not None
    _expect(is_planned, "arms were added to a problem without arms_planned")
    core.cases.num_first = first
    taken_out = {position for position, entry in enumerate(arms) if "taken_out" in entry}
    is_open = core.arms.labels == CODES["undecided"]
    _expect(all(is_open[list(taken_out)]), "an arm that was taken out has a label")
    core.arms.taken_out.update(taken_out)


def _fill_log(core: IdentifierCore, fields: Any) -> None:
    """Fill in the log of pulls."""
    counts, problem = core.arms, core.problem
    positions, rewards = fields["asked"]["arm"], fields["asked"]["reward"]
    count = len(positions)
    _expect(count == len(rewards), "it does not have a reward or null for each pull")
    _expect(set(map(type, positions)) <= {int}, "its pulls are not of arms by their place")
    _expect(set(map(type, rewards)) <= _REWARD_TYPES, "its rewards are not numbers")
    arms, told = np.array(positions, np.int64), np.array(rewards, np.float64)
    _expect(bool((arms >= 0).all() and (arms < problem.num_arms).all()), "a pull is of no arm")
    is_out = np.array([reward is None for reward in rewards], bool)
    known = np.unique(told[~is_out])
    for reward in (
        known.tolist() if problem.rewards == "bernoulli" else known[[0, -1][: len(known)]]
    ):
        problem.check_reward(float(reward), _OWNER)

    states = np.where(is_out, OUT, TOLD)
    for name, state in (("lost", LOST), ("dropped", DROPPED)):
        for number in fields[name]:
            asked = check_count(name, _OWNER, number, most=count)
            _expect(states[asked - 1] == OUT, f"pull {number} has two fates")
            states[asked - 1] = state
    log = np.zeros(count, PULL)
    log["arm"], log["state"], log["reward"] = arms, states, np.where(is_out, 0.0, told)
    if problem.pool is not None:
        cases = fields["asked"]["case"]
        _expect(len(cases) == count, "it does not have a case for each pull")
        _expect(set(map(type, cases)) <= {int}, "its cases are not whole numbers")
        log["case"] = cases
    counts.take_log(log)


def _fill_costs(core: IdentifierCore, asked: Any) -> None:
    """Fill in what pulls cost: what was told, and the declared cost of all others."""
    costs = asked.get("cost", [])
    _expect(core.money is not None or "cost" not in asked, "it has costs, and its problem has none")
    if core.money is None:
        return
    is_told = core.arms.log("state") == TOLD
    _expect(
        not costs or len(costs) == len(is_told), "it does not have a cost or null for each pull"
    )
    own = {number: cost for number, cost in enumerate(costs, start=1) if cost is not None}
    _expect(all(is_told[number - 1] for number in own), "a pull without a reward has a cost")
    core.money.restore(
        {number: to_money_units("cost", _OWNER, cost) for number, cost in own.items()}
    )


def _fill_queues(core: IdentifierCore, queues: list[Any]) -> None:
    """Fill in the queues, if each arm's counts fit each other and the pulls asked of it."""
    counts, states = core.arms, core.arms.log("state")
    order, ends = counts.by_arm()
    for position, (arm, queue) in enumerate(zip(core.problem.arms, queues, strict=True)):
        own = counts.arms[position]
        n, lost, total = own["pulls"], own["lost"], own["sums"]
        _expect(lost <= n, f"arm {arm!r} lost more pulls than it has")
        is_possible = core.problem.rewards == "gaussian" or 0.0 <= total <= n - lost
        _expect(is_possible, f"the sum of arm {arm!r} does not fit its pulls")
        is_labelled = own["labels"] != CODES["undecided"]
        _expect(own["labelled_at"] > 0 or not is_labelled, f"arm {arm!r} was labelled at no pull")
        if is_labelled or position in counts.taken_out:
            _expect(queue == [], f"arm {arm!r} is out of play and has a queue")
            continue
        asked = order[ends[position] : ends[position + 1]] + 1
        items = [_read_queued(core, position, item) for item in queue]
        numbers = [item for item in items if not isinstance(item, Block)]
        entered = asked[: len(asked) - len(numbers)] - 1
        _expect(
            asked[len(entered) :].tolist() == numbers,
            f"the queue of arm {arm!r} does not hold the last pulls asked of it in order",
        )
        _expect(
            not (states[entered] == OUT).any(),
            f"a pull of arm {arm!r} that is out does not wait in its queue",
        )
        entered_count = int((states[entered] != DROPPED).sum())
        _expect(entered_count <= n, f"arm {arm!r} counts fewer pulls than entered its test")
        waiting = states[asked[len(entered) :] - 1]
        blocks = sum(item.size for item in items if isinstance(item, Block))
        held = n + blocks + int((waiting != DROPPED).sum())
        _expect(own["held"] == held, f"the pulls of arm {arm!r} do not add up")
        _expect(own["told"] <= held, f"arm {arm!r} was told more than it was asked")
        own["first"], behind = (numbers[0] if numbers else 0), 0
        for item in items:
            if isinstance(item, Block):
                core.queue.put(position, item, behind)
            else:
                behind = item


def _make_block_document(block: Block) -> dict[str, Any]:
    """Return a block as JSON, with its rewards one by one only where the rule bets on each."""
    document: dict[str, Any] = {"size": block.size, "total": block.total}
    return document | ({"rewards": list(block.rewards)} if block.rewards else {})


def _read_queued(core: IdentifierCore, position: int, item: Any) -> int | Block:
    """Return an item of an arm's queue: a block, or the number of a pull of this arm."""
    if isinstance(item, dict):
        size = check_count("size", _OWNER, item["size"])
        rewards = tuple(check_number("rewards", _OWNER, x) for x in item.get("rewards", ()))
        _expect(
            len(rewards) == (size if core.arms.bets else 0),
            f"a block of arm {core.problem.arms[position]!r} does not hold its rewards",
        )
        return Block(size, check_number("total", _OWNER, item["total"]), rewards)
    return check_count("queue", _OWNER, item)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
