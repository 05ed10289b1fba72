"""Walks and jumps as docs/engine.md describes them, one pull after the other.

A tape is a list of all unit rewards that the arm will see; after n pulls the next is ``tape[n]``.
"""

import copy

from naive import algorithms as naive

BELOW, DEAD, DUE, TOO_LONG = "below", "dead", "due", "too long"


def is_above(a, b):
    """Whether a exceeds b by more than 8 units in the last place."""
    return a - b > 8 * 2.0**-52 * (abs(a) + abs(b))


def walk(case, arm, tape, t, mark, most):
    """Pull an arm while its index lies above the mark; the clock stands at t. How that ended."""
    index = naive.SAMPLING[case.sampling]
    for made in range(most + 1):
        if not is_above(index(arm, t, case), mark):
            return BELOW
        if made == most:
            return TOO_LONG
        before = copy.deepcopy(arm)
        arm.rewards.append(tape[arm.n])
        arm.s += tape[arm.n]
        arm.n += 1
        label = 0
        if case.identify_during_warmup or arm.n > case.warmup:
            label = naive.label_of(case, arm)
        if label == 1:
            vars(arm).update(vars(before))
            return DUE
        if label == -1:
            return DEAD
    raise AssertionError


def jump(case, arms, tapes, t, mark, most, rounds=None):
    """Walk all arms down to the mark, round after round; the dead ones, or None if it is undone.

    Where the clock stands one round is enough.

    Undone are jumps with an arm that would be found good, that pass ``most``, or that end with an
    index which is neither clearly above the mark nor clearly below it.
    """
    index, made, dead = naive.SAMPLING[case.sampling], 0, []
    while True:
        now, has_moved, is_clear = t + made, False, True
        for position, arm in arms.items():
            if position in dead or is_above(mark, index(arm, now, case)):
                continue
            if not is_above(index(arm, now, case), mark):
                is_clear = False
                continue
            before, has_moved = arm.n, True
            status = walk(case, arm, tapes[position], now, mark, most - made)
            made += arm.n - before
            if status in (DUE, TOO_LONG):
                return None
            if status == DEAD:
                dead.append(position)
            elif rounds is not None:
                is_clear = is_clear and is_above(mark, index(arm, now, case))
        rounds = None if rounds is None else rounds - 1
        if not has_moved or rounds == 0:
            return dead if is_clear else None
