"""Raw tables as each arm's rewards, one by one: what ``check(raw=True)`` reads, not added up."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import narwhals
import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import Arm, Problem
from goodarm.tables.chunks import Chunk
from goodarm.tables.counts import Account, Asked
from goodarm.tables.engines import is_stream
from goodarm.tables.inputs import chunks_of
from goodarm.tables.read_options import Form, Reading, Sign
from goodarm.tables.totals import gather
from goodarm.wording import Place

Floats = NDArray[np.float64]

_KINDS: Final = (
    "be a dict from each arm to its rewards, or a table with the columns arm and reward: a path, "
    "an open file, a dict of columns, or a frame"
)


class Samples(NamedTuple):
    """Arms in the order of the table, with their rewards, and how the table was read."""

    arms: list[Arm]
    rewards: list[Floats]
    read_as: str


class _Kept(Account):
    """An account that keeps every reward beside the counts."""

    def __init__(self, sign: Sign, asked: Asked, form: Form) -> None:
        super().__init__(sign, asked, form)
        self.codes: list[NDArray[np.int64]] = []
        self.values: list[Floats] = []

    def add(self, chunk: Chunk, codes: NDArray[np.int64], order: Sequence[Any]) -> None:
        """Check a chunk's rewards and keep them."""
        super().add(chunk, codes, order)
        if "reward" in chunk.numbers:
            self.codes.append(codes)

    def _rewards(self, chunk: Chunk, meaning: str) -> Floats:
        self.values.append(super()._rewards(chunk, meaning))
        return self.values[-1]


def read_samples(table: object, problem: Problem, owner: str) -> Samples:
    """Each arm's rewards, checked to be what the problem's kind of reward can be.

    The problem's arms play no part.
    """
    # Nothing is labelled here, so repeats of a case do no harm.
    form = Form(
        is_raw=True,
        is_bernoulli=problem.rewards == "bernoulli",
        columns={},
        repeats="attempts",
    )
    reading = Reading(form)
    asked = Asked(problem, problem.threshold)
    accounts = [_Kept(sign, asked, form) for sign in form.signs]
    chunks = chunks_of(_in_memory(table, owner), asked, reading)
    book, accounts, source, _ = gather(chunks, reading, accounts)
    first, last = accounts[0], accounts[-1]
    if not all(map(np.array_equal, first.values, last.values)):
        raise SpecError(
            f"The rewards of {source} can be read in two ways, with a decimal point and with a "
            "decimal comma.",
            argument="samples",
            owner=owner,
            rule="be numbers in one way alone",
            remedy="Write them with a point and without signs between thousands.",
            place=Place(source),
        )
    for note in first.numerals.notes:
        reading.note(note)
    arms = list(book.order)
    for position in np.flatnonzero(first.counts.pulls == 0):
        arm = arms[position]
        raise invalid_argument("samples", owner, "hold at least one reward of every arm", {arm: []})
    codes, values = np.concatenate(first.codes), np.concatenate(first.values)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(arms)))[:-1]
    return Samples(arms, np.split(values[order], ends), reading.sentence)


def _in_memory(table: object, owner: str) -> Any:
    """A lazy table is collected, since every reward is wanted; what is no table is refused."""
    if isinstance(table, str | os.PathLike | Mapping | np.ndarray) or hasattr(table, "read"):
        return table
    given: Any = table
    frame = narwhals.from_native(given, pass_through=True)
    if isinstance(frame, narwhals.LazyFrame):
        return frame.collect().to_native()
    if isinstance(frame, narwhals.DataFrame) or is_stream(table):
        return table
    raise invalid_argument("samples", owner, _KINDS, table)
