"""Arms of a table in the order of appearance, and the row where each first appears."""

from collections.abc import Sequence
from datetime import date
from itertools import count
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import make_visible_form
from goodarm.tables.chunks import Chunk
from goodarm.tables.read_options import Reading
from goodarm.tables.table_errors import Fault
from goodarm.views.numbers import plural
from goodarm.wording import Arg, phrase

_NO_ARM = -1
_TRUTH = "read True and False as text"
_MOST_LINES = 3
"""Most rows of a repeated arm that an error lists."""
_MAX_ROWS_COMPARED = 1 << 20
"""Most rows of counts that are compared for copies."""
_ADD_UP = phrase(
    "Add them up with {sum}; or, if each row is one reward, {pass} {raw}.",
    sum=Arg("sum", True),
    raw=Arg("raw", True),
)


class ArmIndex(dict[Any, int]):
    """Index of each arm in the order of appearance.

    ``faults`` holds invalid labels, ``repeated`` the arms that have several rows in a table of
    counts.
    """

    def __init__(self, reading: Reading) -> None:
        self.order: list[Any] = []
        self.faults: list[Fault] = []
        self.repeated: dict[int, Fault] = {}
        self._again: dict[int, list[int]] = {}
        self.column = "arm"
        self._reading = reading
        self._texts: set[str] = set()
        self._lines: list[int] = []
        self._word = "row"
        self._num_rows = 0
        self._rows: set[tuple[str, ...]] = set()
        self._copies: list[int] = []

    def place_of(self, place: int) -> str:
        """Describe the row where an arm of a table of counts first appears."""
        return f"{self._word} {self._lines[place]}"

    def enter(self, chunk: Chunk) -> NDArray[np.int64]:
        """Add a chunk's arms and return their indices; -1 for one that is not a valid label."""
        self.column, self._word = chunk.columns["arm"], chunk.word
        if self._reading.form.wide is None:
            self._reading.columns = chunk.columns
        before = len(self.order)
        arms = self._strip_blanks(chunk)
        is_checked = not set(map(type, arms)) <= {str, int}
        if is_checked:
            arms = [self._validate_label(chunk, row, arm) for row, arm in enumerate(arms)]
        new = [arm for arm in dict.fromkeys(arms) if arm not in self]
        self.update(zip(new, count(before)))
        self.order += new
        codes = np.fromiter(map(self.__getitem__, arms), np.int64, len(arms))
        texts = _list_visible_forms(new)
        self._texts.update(texts)
        if len(self._texts) < len(self.order) or not all(texts):
            self._find_wrong(chunk, codes, before)
        if self._reading.form.is_counts:
            self._enter_lines(chunk, codes, before)
        if is_checked:
            codes[[arm is None for arm in arms]] = _NO_ARM
        return codes

    def _strip_blanks(self, chunk: Chunk) -> Sequence[Any]:
        """Return the arms with text stripped of surrounding blanks, if they come from a file."""
        if not chunk.is_text or self._reading.form.strict:
            return chunk.arms
        texts = [arm for arm in chunk.arms if type(arm) is not int]
        if set(map(type, texts)) <= {str} and texts == list(map(str.strip, texts)):
            return chunk.arms
        self._reading.note("removed blanks around arms")
        return [arm.strip() if isinstance(arm, str) else arm for arm in chunk.arms]

    def _validate_label(self, chunk: Chunk, row: int, arm: Any) -> Any:
        if isinstance(arm, str | Integral) and not isinstance(arm, bool):
            return arm
        if isinstance(arm, float) and arm.is_integer():
            return int(arm)
        if isinstance(arm, bool | date) and arm == arm and not self._reading.form.strict:
            self._reading.note("read dates as text" if isinstance(arm, date) else _TRUTH)
            return str(arm).removesuffix(" 00:00:00")
        rule = "be text or a whole number"
        self.faults.append(chunk.fault(row, self.column, rule, arm))
        return None

    def _find_wrong(self, chunk: Chunk, codes: NDArray[np.int64], before: int) -> None:
        """Record a fault for each new label that is blank, or looks like another label."""
        known = {make_visible_form(arm): arm for arm in self.order[:before]}
        for place, arm in enumerate(self.order[before:], start=before):
            if arm is None:
                continue
            rule = ""
            looks = make_visible_form(arm)
            if not looks:
                rule = "not be blank"
            elif looks in known:
                rule = f"differ visibly from the arm {known[looks]!r}, which looks the same"
            if rule:
                row = int(np.flatnonzero(codes == place)[0])
                self.faults.append(chunk.fault(row, self.column, rule, arm))
            known[looks] = arm

    def _enter_lines(self, chunk: Chunk, codes: NDArray[np.int64], before: int) -> None:
        """Keep the line numbers of new arms; a table of counts has one row for each arm."""
        is_again = np.ones(len(codes), bool)
        places, rows = np.unique(codes, return_index=True)
        fresh = rows[places >= before]
        is_again[fresh] = False
        self._lines += np.asarray(chunk.lines)[np.sort(fresh)].tolist()
        self._num_rows += len(codes)
        if self._reading.form.sum and len(self._rows) <= _MAX_ROWS_COMPARED:
            self._find_copies(chunk, codes)
        for row in np.flatnonzero(is_again):
            arm = self.order[codes[row]]
            if arm is not None and make_visible_form(arm):  # other labels are faults already
                self._check_repeated(chunk, int(row), int(codes[row]))

    def _find_copies(self, chunk: Chunk, codes: NDArray[np.int64]) -> None:
        """Keep the lines of rows that have the arm and the numbers of an earlier row."""
        cells = [
            each.tolist() if hasattr(each, "tolist") else each for each in chunk.numbers.values()
        ]
        for line, row in zip(chunk.lines, zip(codes.tolist(), *cells, strict=True), strict=True):
            texts = tuple(map(str, row))  # a cell of JSON may be a list
            if texts in self._rows:
                self._copies.append(line)
            self._rows.add(texts)

    def note_rows(self) -> None:
        """Note how many rows were added up, which are alike, and arms that differ in case only."""
        if self._reading.form.sum and self._num_rows > len(self.order):
            self._reading.note(
                f"added up {self._num_rows:,} rows to {plural(len(self.order), 'arm')}"
            )
        if self._copies:
            lines = ", ".join(map(str, self._copies[:_MOST_LINES]))
            more = ", ..." * (len(self._copies) > _MOST_LINES)
            repeat = "row repeats" if len(self._copies) == 1 else "rows repeat"
            self._reading.note(
                f"{len(self._copies):,} {repeat} the arm and the numbers of another ({self._word} "
                f"{lines}{more})"
            )
        folded: dict[str, Any] = {}
        for arm in self.order if len(self.order) <= _MAX_ROWS_COMPARED else ():
            other = folded.setdefault(str(arm).casefold(), arm)
            if other is not arm:
                self._reading.note(f"arms {other!r} and {arm!r} differ in case only")

    def _check_repeated(self, chunk: Chunk, row: int, place: int) -> None:
        if self._reading.form.sum:
            return
        lines = self._again.setdefault(place, [self._lines[place]])
        lines.append(chunk.lines[row])
        shown = ", ".join(map(str, lines[:_MOST_LINES])) + (", ..." * (len(lines) > _MOST_LINES))
        word = "" if chunk.word == "row" else f"{chunk.word}s "
        fault = chunk.fault(row, self.column, "appear in one row only", chunk.arms[row], _ADD_UP)
        self.repeated[place] = fault._replace(
            statement=f"The arm {chunk.arms[row]!r} of {chunk.source} appears in several rows "
            f"({word}{shown})."
        )


def _list_visible_forms(arms: list[Any]) -> list[str]:
    """Return each label as it looks; most are ASCII text and need only be stripped."""
    texts = list(map(str, arms))
    return (
        list(map(str.strip, texts))
        if "".join(texts).isascii()
        else list(map(make_visible_form, arms))
    )
