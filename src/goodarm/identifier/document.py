"""An identifier as a JSON document and back, bit for bit.

Arms stand in arm order. Written down is what cannot be derived: each arm's counts and queue, and
what became of every pull.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.checks import check_document
from goodarm.errors import GoodArmError, SpecError
from goodarm.identifier.ledger import DROPPED, LOST, OUT, TOLD, Block
from goodarm.identifier.report import LABELS
from goodarm.problem import Problem

if TYPE_CHECKING:
    from goodarm.identifier.identifier import Identifier

_KIND: Final = "identifier"
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
        raise SpecError(f"The identifier document is damaged: {error!r}.") from error
    return ident


def _fill(ident: "Identifier", fields: Any) -> None:
    counts, ledger, problem = ident._counts, ident._ledger, ident.problem
    if [entry["arm"] for entry in fields["arms"]] != list(problem.arms):
        raise ValueError("its arms are not those of its problem")
    codes = {label: code for code, label in LABELS.items()}
    for name in _COUNTS:
        getattr(counts, name)[:] = [entry[name] for entry in fields["arms"]]
    counts.labels[:] = [codes[entry["label"]] for entry in fields["arms"]]
    counts.restore()

    states = [OUT if reward is None else TOLD for reward in fields["asked"]["reward"]]
    for state, numbers in ((LOST, fields["lost"]), (DROPPED, fields["dropped"])):
        for number in numbers:
            states[number - 1] = state
    ledger.arms.extend(fields["asked"]["arm"])
    ledger.rewards.extend(reward or 0.0 for reward in fields["asked"]["reward"])
    ledger.states.extend(states)
    ledger.out = states.count(OUT)
    if len(ledger.arms) != len(states) or not all(0 <= a < problem.num_arms for a in ledger.arms):
        raise ValueError("its pulls do not fit its arms")
    for position, entry in enumerate(fields["arms"]):
        if entry["queue"]:
            ledger.queues[position].extend(
                Block(**item) if isinstance(item, dict) else item for item in entry["queue"]
            )
    ident._good.extend(problem.position(arm) for arm in fields["good"])
    ident._pulls = fields["pulls"]
    if not np.array_equal(np.sort(ident._good), np.flatnonzero(counts.labels == codes["good"])):
        raise ValueError("its list of good arms does not fit their labels")
