"""An identifier as a JSON document and back, bit for bit.

Arms stand in arm order. Written down is what cannot be derived: each arm's counts and queue, and
what became of every pull.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.checks import check_count, check_document, check_number
from goodarm.errors import GoodArmError, SpecError
from goodarm.identifier.ledger import DROPPED, LOST, OUT, TOLD, Block
from goodarm.identifier.report import LABELS
from goodarm.problem import Problem

if TYPE_CHECKING:
    from goodarm.identifier.identifier import Identifier

_KIND: Final = "identifier"
_OWNER: Final = "the identifier document"
_CODES: Final = {label: code for code, label in LABELS.items()}
_KEYS: Final = ("problem", "algorithm", "seed", "arms", "asked", "lost", "dropped", "good", "pulls")
_COUNTS: Final = ("pulls", "sums", "lost", "labelled_at", "held", "told", "told_sums")


def write(ident: "Identifier") -> dict[str, Any]:
    """The state of an identifier as a JSON document."""
    counts, ledger, problem = ident._counts, ident._ledger, ident.problem
    columns = {name: getattr(counts, name).tolist() for name in _COUNTS}
    arms = []
    for position, arm in enumerate(problem.arms):
        entry: dict[str, Any] = {"arm": arm, "label": LABELS[int(counts.labels[position])]}
        entry |= {name: column[position] for name, column in columns.items()}
        entry["queue"] = [
            {"size": item.size, "total": item.total} if isinstance(item, Block) else item
            for item in ledger.queues.get(position, ())
        ]
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
        "good": [problem.arms[position] for position in ident._good],
        "pulls": ident.pulls,
    }


def read(cls: type["Identifier"], document: object) -> "Identifier":
    """The identifier that a document describes."""
    fields = check_document(document, _KIND, _KEYS)
    problem = Problem.from_dict(fields["problem"])
    ident = cls(problem, Algorithm.from_dict(fields["algorithm"]), fields["seed"])
    if ident.algorithm.describe(problem) != fields["algorithm"]:
        raise SpecError(
            "The identifier document was written with other parameters of its algorithm than this "
            "version of goodarm computes. Resume it with the version that wrote it."
        )
    try:
        _fill(ident, fields)
    except GoodArmError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise SpecError(f"The identifier document is damaged: {error}.") from error
    return ident


def _fill(ident: "Identifier", fields: Any) -> None:
    """Bring a fresh identifier to the state written down; a ValueError says why it cannot."""
    counts, ledger, problem = ident._counts, ident._ledger, ident.problem
    arms = fields["arms"]
    _expect(
        [entry["arm"] for entry in arms] == list(problem.arms), "its arms are not its problem's"
    )
    for name in _COUNTS:
        column = getattr(counts, name)
        column[:] = [entry[name] for entry in arms]
        _expect(bool(np.isfinite(column).all()), f"the {name} of its arms are not numbers")
        _expect(name.endswith("sums") or bool((column >= 0).all()), f"its {name} are negative")
    counts.labels[:] = [_CODES[entry["label"]] for entry in arms]
    counts.restore()

    _fill_ledger(ident, fields)
    for position, entry in enumerate(arms):
        for item in entry["queue"]:
            ledger.queues[position].append(_queued(ident, position, item))

    ident._good.extend(problem.position(arm) for arm in fields["good"])
    labelled = np.flatnonzero(counts.labels == _CODES["good"])
    _expect(np.array_equal(np.sort(ident._good), labelled), "its good arms do not fit their labels")
    ident._pulls = check_count("pulls", _OWNER, fields["pulls"], least=0)


def _fill_ledger(ident: "Identifier", fields: Any) -> None:
    """What became of every pull."""
    ledger, problem = ident._ledger, ident.problem
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


def _queued(ident: "Identifier", position: int, item: Any) -> int | Block:
    """What waits in an arm's queue: a block, or the number of a pull of this arm."""
    if isinstance(item, dict):
        size = check_count("size", _OWNER, item["size"])
        return Block(size, check_number("total", _OWNER, item["total"]))
    number = check_count("queue", _OWNER, item, most=len(ident._ledger))
    _expect(ident._ledger.arms[number - 1] == position, f"pull {number} waits at another arm")
    return number


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
