"""Check of a sampling rule of your own."""

import json
import pickle
from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from goodarm.algorithm import Algorithm, SamplingRule, check_choice
from goodarm.errors import invalid_argument
from goodarm.live import Identifier
from goodarm.testing import rule_objects
from goodarm.testing.report import RuleReport, expect, report_failure
from goodarm.testing.runs import (
    BOUNDED_CASE,
    CASES,
    PLAIN_CASE,
    Player,
    check_ask_and_tell,
    check_same,
)
from goodarm.testing.views import ViewCase, make_view_cases

_VIEW_FIELDS: Final = ("pulls", "means", "active", "num_arms", "threshold", "delta", "time")

CHOICES: Final = "it chooses an active arm"
STATELESS: Final = (
    "the choice follows from the view alone: asked again, in another order, of a copy"
)
LEAVES: Final = "it changes neither the view nor itself"
RUNS: Final = "simulate and ask and tell make the same runs, with margin, until and max_pulls"
LABELS: Final = "each arm gets the label after the pulls that it gets under every sampling rule"
WORKERS: Final = "the runs do not depend on workers"
BATCHES: Final = "batches are those of single asks, and end with the same labels"
RESUMED: Final = "a run saved in the middle goes on as it would have"


def check_sampling_rule(rule: SamplingRule, *, executor: Executor | None = None) -> RuleReport:
    """Check a sampling rule, as far as that can be tried.

    About a hundred views are shown to it, several times over and in another order, to it and to
    copies of it; then it is used in ``simulate``, in ask and tell, in batches, and saved and
    resumed. That finds a rule that keeps state, or draws from anything but ``view.rng``.

    Args:
        rule: the rule, an object.
        executor: workers that must make the same runs, such as a ``ProcessPoolExecutor``; threads
            unless given.

    Returns:
        What was tried, and what follows from it.

    Raises:
        AssertionError: with the property and the view at which it fails.

    >>> from goodarm.rules import SamplingRule
    >>> def make_rule():
    ...     class First(SamplingRule):
    ...         name = "first"
    ...         def choose(self, view):
    ...             return int(view.active.argmax())
    ...     return First()
    >>> check_sampling_rule(make_rule())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: The first rule must be one that pickle takes, for worker processes: ...
    """
    if not isinstance(rule, SamplingRule):
        owner = "check_sampling_rule"
        raise invalid_argument(
            "rule", owner, "be a SamplingRule, an object and not its class", rule
        )
    rule_objects.check_object(rule)
    _check_choices(rule)
    _check_batches(rule)
    _check_resuming(rule)
    _check_runs(rule, executor)
    return RuleReport(
        rule.name,
        (
            rule_objects.AS_OBJECT,
            CHOICES,
            STATELESS,
            LEAVES,
            RUNS,
            LABELS,
            WORKERS,
            BATCHES,
            RESUMED,
        ),
        ("Identifier, and simulate with engine='reference'; the guarantee does not depend on it",),
        "Passing is no proof for views that were not tried.",
    )


def _check_choices(rule: SamplingRule) -> None:
    sights = make_view_cases(rule)
    first = [_ask_rule(rule, sight) for sight in sights]
    backwards = list(reversed(range(len(sights))))
    shuffled = np.random.default_rng(1).permutation(len(sights)).tolist()
    asked: list[tuple[str, SamplingRule, Iterable[int]]] = [
        ("again, in the opposite order", rule, backwards),
        ("again, in another order", rule, shuffled),
        *((how, again, shuffled) for how, again in rule_objects.make_copies(rule).items()),
    ]
    for how, again, order in asked:
        for number in order:
            choice = _ask_rule(again, sights[number])
            if choice != first[number]:
                expect(
                    False,
                    f"The {rule.name} rule's choice must follow from the view alone: no state, no "
                    f"random numbers but those of view.rng; asked {how} it chose {choice} where it "
                    f"had chosen {first[number]}, of {sights[number]}.",
                )


def _ask_rule(rule: SamplingRule, sight: ViewCase) -> int:
    """Return the rule's choice; check that it leaves the view and itself unchanged."""
    view = sight.view()
    before = _serialize_state(rule)
    with report_failure(lambda: f"The {rule.name} rule's choose breaks on {sight}"):
        chosen = check_choice(rule.choose(view), view, rule.name)
    fresh = sight.view()
    for name in _VIEW_FIELDS:
        now, was = getattr(view, name), getattr(fresh, name)
        if not np.array_equal(now, was):
            became = f"its {name} became {now} from {was}."
            expect(False, f"The {rule.name} rule must not write to the view; {became}")
    expect(
        _serialize_state(rule) == before,
        lambda: (
            f"The {rule.name} rule must not change itself when it chooses; its attributes are "
            f"{vars(rule)!r} after a choice on {sight}."
        ),
    )
    return chosen


def _serialize_state(rule: SamplingRule) -> bytes:
    with report_failure(
        f"The {rule.name} rule must be one that pickle takes, for worker processes"
    ):
        return pickle.dumps(rule)


def _make_algorithm(rule: SamplingRule | str) -> Algorithm:
    return Algorithm(sampling=rule, identification="mixture")


def _check_batches(rule: SamplingRule) -> None:
    """Check that a batch equals as many single asks, and that batches end with the same labels."""
    algorithm = _make_algorithm(rule)
    with report_failure(f"Batches of the {rule.name} rule break on {PLAIN_CASE.problem}"):
        one, other = Player(PLAIN_CASE, algorithm), Player(PLAIN_CASE, algorithm)
        for player in (one, other):
            for _ in player.play(pulls=20):
                pass
        batch = [pull.arm for pull in one.ident.ask_many(9)]
        asks = [other.ident.ask().arm for _ in range(9)]
        plain, batched = Player(PLAIN_CASE, algorithm), Player(PLAIN_CASE, algorithm)
        pulled = [list(plain.play()), list(batched.play(batch=7))]
    expect(
        batch == asks,
        f"The {rule.name} rule must choose a batch as it chooses one by one; on "
        f"{PLAIN_CASE.problem} the batch was {batch}, the single asks {asks}.",
    )
    verdicts = [player.ident.verdict for player in (plain, batched)]
    expect(
        all(not verdict.undecided for verdict in verdicts),
        f"Runs of the {rule.name} rule must end on {PLAIN_CASE.problem}; after "
        f"{[len(arms) for arms in pulled]} pulls there are {verdicts}.",
    )
    expect(
        sorted(map(str, verdicts[0].good)) == sorted(map(str, verdicts[1].good)),
        f"Labels in batches must be those of single asks, for the {rule.name} rule too; on "
        f"{PLAIN_CASE.problem} they are {verdicts}.",
    )


def _check_resuming(rule: SamplingRule) -> None:
    """Check that a run saved as JSON after some pulls, with some out, continues the same."""
    algorithm = _make_algorithm(rule)
    for pulls in (2, 15, 40):
        player = Player(PLAIN_CASE, algorithm)
        with report_failure(
            f"Saving and resuming breaks with the {rule.name} rule on {PLAIN_CASE.problem}"
        ):
            for _ in player.play(pulls=pulls):
                pass
            player.ident.ask_many(2)
            document = json.loads(json.dumps(player.ident.to_dict()))
            resumed = player.resumed(Identifier.from_dict(document, algorithm=algorithm))
            for of in (player, resumed):
                for pull in of.ident.waiting:
                    of.ident.tell(pull, of.draw_reward(pull))
            went_on, resumed_on = list(player.play()), list(resumed.play())
        expect(
            went_on == resumed_on,
            f"A run of the {rule.name} rule that was saved must go on as it would have; on "
            f"{PLAIN_CASE.problem}, saved after {pulls} pulls, "
            f"{_find_first_difference(went_on, resumed_on)}",
        )


def _find_first_difference(one: list[Any], other: list[Any]) -> str:
    for number, (ours, theirs) in enumerate(zip(one, other, strict=False), start=1):
        if ours != theirs:
            return f"pull {number} from there is of arm {theirs}, not {ours}."
    return f"it takes {len(other)} pulls from there, not {len(one)}."


def _check_runs(rule: SamplingRule, executor: Executor | None) -> None:
    algorithm = _make_algorithm(rule)
    for tried in (*CASES, BOUNDED_CASE):
        runs = tried.simulate(algorithm, runs=4, engine="reference")
        check_ask_and_tell(tried, algorithm, runs)
        check_same(
            f"simulate of {algorithm.name}, asked again,", runs, tried.simulate(algorithm, 4)
        )
        if executor is None:
            with ThreadPoolExecutor(3) as pool:
                shared = tried.simulate(algorithm, 4, executor=pool)
        else:
            shared = tried.simulate(algorithm, 4, executor=executor)
        check_same(f"simulate of {algorithm.name} on other workers", runs, shared)
    runs, others = (
        PLAIN_CASE.simulate(algorithm, 4),
        PLAIN_CASE.simulate(_make_algorithm("round-robin"), 4),
    )
    for name in ("stop", "pulls", "labels"):
        expect(
            np.array_equal(getattr(runs, name), getattr(others, name)),
            f"Which arms are pulled when must not matter for their labels; on "
            f"{PLAIN_CASE.problem} the {name} are {getattr(runs, name).tolist()}, those of "
            f"round-robin {getattr(others, name).tolist()}.",
        )
