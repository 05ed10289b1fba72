"""Table for a single look, in place of one that may be looked at any number of times."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, get_args

import numpy as np

from goodarm.errors import invalid_argument, invalid_choice
from goodarm.judging import Control, Totals, check_one_look, judge_once
from goodarm.problem import Problem
from goodarm.results import ArmTable
from goodarm.wording import Arg, phrase

Looks = Literal["any", "once"]
LOOKS: Final[tuple[Looks, ...]] = get_args(Looks)
_OWNER: Final = "check"


def check_looks(looks: object, rule: object, previous: object, options: Mapping[str, Any]) -> None:
    """Raise an error unless these arguments go with the number of looks."""
    if not isinstance(looks, str) or looks not in LOOKS:
        raise invalid_choice("looks", _OWNER, LOOKS, looks)
    if looks == "any":
        return
    once = Arg("looks", "once")
    if previous is not None:
        wrong = phrase("be left out with {once}: that look is the only one", once=once)
        raise invalid_argument("previous", _OWNER, wrong, previous)
    for name, value in (("rule", rule), ("gap", options.get("gap"))):
        if value is not None:
            wrong = phrase("be left out with {once}, which has a test of its own", once=once)
            raise invalid_argument(name, _OWNER, wrong, value)


def at_one_look(anytime: ArmTable, problem: Problem, counted: Totals, control: Control) -> ArmTable:
    """Return the table for one look; ``anytime`` is that of the test for any number of looks.

    At the same counts the labels of the anytime test are among those of one look: its e-values rise
    with the successes, so that the tail is at most 1 / E. So to say how many labels it would give
    offers no choice between two tests. Under fdr neither contains the other, and nothing is said.
    """
    check_one_look(problem)
    found = judge_once(problem, counted, control, anytime.arms_planned)
    nothing, unclear = np.full(len(anytime), np.nan), np.full(len(anytime), np.inf)
    given, title = anytime.num_by_label, f"{found.test} tail, for one look"
    return replace(
        anytime,
        labels=found.labels,
        lower=found.lower,
        upper=found.upper,
        log_good=nothing,
        log_bad=nothing,
        needed=unclear,
        needed_90=unclear,
        rule=found.test,
        rule_parameters=None,
        rule_title=title if found.test == "normal" else f"exact {title}",
        delta_listed=found.delta_listed,
        looks="once",
        p_good=found.p_good,
        p_bad=found.p_bad,
        advice=""
        if control == "fdr"
        else f"The anytime test, which lets you look again, would say {given['good']:,} good and "
        f"{given['bad']:,} bad.",
    )
