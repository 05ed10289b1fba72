"""Options for reading a table, and notes on how it was read."""

import codecs
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from goodarm.arguments import check_flag
from goodarm.errors import invalid_argument, invalid_choice
from goodarm.tables.per_arm_columns import NAMES
from goodarm.wording import Arg, EdgeText, Value, phrase

Sign = Literal[".", ","]
SIGNS: Final[tuple[Sign, ...]] = (".", ",")
Repeats = Literal["refuse", "attempts", "fixed"]
REPEATS: Final[tuple[Repeats, ...]] = ("refuse", "attempts", "fixed")
LOST: Final = "lost"
"""Column of the pulls that have no reward, which ``pulls`` counts, too."""
ALL: Final = "all"
"""All columns of a wide table, except those that name the unit."""
SEPARATORS: Final = (",", ";", "\t", "|")
MONEY: Final = ("cost", "spent")
"""Columns of money, read only if the user names them: of a pull, and of all pulls of a row."""
_WORDS: Final = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_OWNER: Final = "check"
_REMARKS_SHOWN: Final = 5


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a table, validated once.

    Args:
        is_raw: the table has a row for each reward.
        is_values: the table has a row for each value of an arm, with its number of occurrences.
        is_bernoulli: rewards are 0 or 1: counts are pulls and successes, else pulls and sum.
        columns: the table's own column names, by meaning.
        sep: the column separator; detected if None.
        encoding: the encoding of text; if None, UTF-8 or what a byte order mark says.
        decimal: the decimal sign; detected if None.
        comment: the prefix of comment lines; ``""`` if there are none. If None, it is ``#``, and a
            full row that begins with it is refused.
        sheet: the sheet of a workbook; if None, the only one that is filled.
        sum: add up rows of the same arm.
        keep_total: accept a row that is the sum of the others as an arm.
        strict: read nothing but the documented form.
        repeats: repeated cases under one arm of raw rewards are refused, or separate attempts; or,
            where units are averaged, the numbers of their rewards are fixed before the results.
        unit: the column of the unit whose rewards are averaged; None if each reward is a pull.
        wide: the columns that are arms, in a table with a row for each unit; ``"all"`` for all
            columns but those that name the unit.
        has_wide: the caller can read wide tables, so that errors may suggest it.
    """

    is_raw: bool
    is_bernoulli: bool
    columns: Mapping[str, str]
    is_values: bool = False
    sep: str | None = None
    encoding: str | None = None
    decimal: Sign | None = None
    comment: str | None = None
    sheet: str | None = None
    sum: bool = False
    keep_total: bool = False
    strict: bool = False
    repeats: Repeats = "refuse"
    unit: str | None = None
    wide: Literal["all"] | Sequence[str] | None = None
    has_wide: bool = True

    def __post_init__(self) -> None:
        for name in ("is_raw", "is_values", "sum", "keep_total", "strict"):
            check_flag(name.removeprefix("is_"), _OWNER, getattr(self, name))
        if self.is_values and (self.is_raw or self.wide is not None):
            other = Arg("raw" if self.wide is None else "wide")
            rule = phrase("be left out if {other} is given", other=other)
            raise invalid_argument("values", _OWNER, rule, True)
        if self.repeats not in REPEATS:
            raise invalid_choice("repeats", _OWNER, REPEATS, self.repeats)
        self._check_unit()
        if self.sep is not None:
            object.__setattr__(self, "sep", _check_sep(self.sep))
        if self.encoding is not None:
            _check_encoding(self.encoding)
        if self.decimal is not None and self.decimal not in SIGNS:
            raise invalid_choice("decimal", _OWNER, SIGNS, self.decimal)
        if self.decimal is not None and self.decimal == self.sep:
            raise invalid_argument("sep", _OWNER, phrase("differ from {decimal}"), self.sep)
        for name in ("comment", "sheet"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise invalid_argument(name, _OWNER, "be a text", value)
        self._check_columns()
        if self.wide is not None:
            self._check_wide()

    def _check_unit(self) -> None:
        """Check unit and repeats, which are about raw rewards."""
        if self.unit is not None and (not isinstance(self.unit, str) or not self.unit.strip()):
            raise invalid_argument("unit", _OWNER, "be the name of a column", self.unit)
        for name, default in (("unit", None), ("repeats", "refuse")):
            value = getattr(self, name)
            if value != default and not self.is_raw:
                log = phrase(" or {log}", log=Arg("format", owner="read_logs"))
                also = EdgeText("command line", log)
                rule = phrase("be left out unless {raw}{log} is given", log=also)
                raise invalid_argument(name, _OWNER, rule, value)
        if self.repeats != "refuse" and (self.unit is None) != (self.repeats == "attempts"):
            when = "if" if self.unit is not None else "unless"
            rule = phrase(f"not be {{value}} {when} {{unit}} is given", value=Value(self.repeats))
            raise invalid_argument("repeats", _OWNER, rule, self.repeats)

    @property
    def meanings(self) -> tuple[str, ...]:
        """Meanings of the columns of the documented form, the arm's first."""
        if self.is_raw:
            return ("arm", "reward")
        if self.is_values:
            return ("arm", "value", "count")
        return ("arm", "pulls", "successes" if self.is_bernoulli else "sum")

    @property
    def more_meanings(self) -> tuple[str, ...]:
        """Columns from which successes or pulls can be computed."""
        return ("failed", "rate") if self.is_bernoulli and self.is_counts else ()

    @property
    def optional_meanings(self) -> tuple[str, ...]:
        """Columns that a table may have beside those it needs: pulls whose reward was lost."""
        return (LOST,) if self.is_counts else ()

    @property
    def is_counts(self) -> bool:
        """True if the table has one row for each arm."""
        return not self.is_raw and not self.is_values

    @property
    def own(self) -> tuple[str, ...]:
        """Names of the per-arm numbers that the table has a column for."""
        return tuple(name for name in NAMES if name in self.columns)

    @property
    def money(self) -> str | None:
        """Meaning of the column of money, if the user names one."""
        return next((name for name in MONEY if name in self.columns), None)

    @property
    def remark(self) -> str:
        """Prefix of comment lines; empty if there are none."""
        if self.comment is not None:
            return self.comment
        return "" if self.strict else "#"

    @property
    def signs(self) -> tuple[Sign, ...]:
        """Decimal signs that the table may have."""
        if self.decimal is not None:
            return (self.decimal,)
        return (".",) if self.strict else SIGNS

    def _check_columns(self) -> None:
        if not isinstance(self.columns, Mapping):
            rule = "be a dict from column to its name in the table"
            raise invalid_argument("columns", _OWNER, rule, self.columns)
        money = MONEY if self.is_counts else MONEY[:1]
        others = (*self.more_meanings, *self.optional_meanings, *NAMES, *money)
        known = (*self.meanings, *others)
        for meaning, name in self.columns.items():
            if meaning not in known:
                raise invalid_choice("columns", _OWNER, known, meaning)
            if not isinstance(name, str | int) or isinstance(name, bool) or name == "":
                raise invalid_argument("columns", _OWNER, "give each name as text", name)
        texts = {meaning: str(name) for meaning, name in self.columns.items()}
        object.__setattr__(self, "columns", texts)
        usual = {meaning: self.columns.get(meaning, meaning) for meaning in self.meanings}
        names = [
            *usual.values(),
            *(self.columns[meaning] for meaning in others if meaning in self.columns),
        ]
        if all(name in self.columns for name in MONEY):
            rule = "name the money of a pull, or that of all pulls, and not both"
            raise invalid_argument("columns", _OWNER, rule, dict(self.columns))
        if len(set(names)) < len(names):
            raise invalid_argument(
                "columns", _OWNER, "give each column its own name", dict(self.columns)
            )

    def _check_wide(self) -> None:
        if self.columns:
            rule = phrase("be left out if {wide} is given")
            raise invalid_argument("columns", _OWNER, rule, dict(self.columns))
        if self.wide == ALL:
            return
        is_list = isinstance(self.wide, Iterable) and not isinstance(self.wide, str | bytes)
        names = list(self.wide or ()) if is_list else []
        if not names or not all(isinstance(name, str | int) for name in names):
            rule = phrase("be {all}, or a list of columns", all=Value(ALL))
            raise invalid_argument("wide", _OWNER, rule, self.wide)
        object.__setattr__(self, "wide", [str(name) for name in names])


def _check_sep(sep: object) -> str:
    sign = _WORDS.get(sep, sep) if isinstance(sep, str) else sep
    if not isinstance(sign, str) or len(sign) != 1 or sign.isalnum() or sign in '"\r\n. ':
        remedy = "A tab is '\\t', or the word tab."
        raise invalid_argument("sep", _OWNER, "be one character", sep, remedy)
    return sign


def _check_encoding(encoding: object) -> None:
    try:
        is_text = isinstance(encoding, str) and isinstance("".encode(encoding), bytes)
        codecs.lookup(str(encoding)).incrementaldecoder().decode(b"")
    except (LookupError, ValueError, TypeError, UnicodeError):
        is_text = False
    if not is_text:
        raise invalid_argument(
            "encoding", _OWNER, "name an encoding of text, such as cp1252", encoding
        )


@dataclass
class Reading:
    """State of reading a table: its options, and notes on all that was not as documented.

    ``num_unfinished`` is the number of units that were left out because they are unfinished.
    """

    form: ReadOptions
    notes: list[str] = field(default_factory=list)
    num_unfinished: int = 0
    remarks: list[int] = field(default_factory=list)
    """Line numbers of the comments that were left out."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Columns that were read, by meaning; a wide table has none."""

    def note(self, text: str) -> None:
        """Add a note on how something was read, unless it has been added already."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def sentence(self) -> str:
        """All notes in one line; empty if the table is as documented.

        >>> reading = Reading(ReadOptions(False, True, {}))
        >>> reading.note("read variant as arm")
        >>> reading.note("columns separated by ';'")
        >>> reading.sentence
        "read variant as arm; columns separated by ';'"
        """
        notes = list(self.notes)
        if self.remarks:
            count = len(self.remarks)
            shown = ", ".join(map(str, self.remarks[:_REMARKS_SHOWN]))
            more = ", ..." if count > _REMARKS_SHOWN else ""
            remarks, lines = ("comment", "line") if count == 1 else ("comments", "lines")
            notes.append(f"skipped {count} {remarks} ({lines} {shown}{more})")
        return "; ".join(notes)
