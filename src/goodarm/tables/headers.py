"""Matching of column names to meanings, by documented names, the user's own, and common ones.

Case, spaces, dashes and underscores do not matter. The documented name takes precedence; if two
common names could have the same meaning, the user must say which one does.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import find_case_columns
from goodarm.tables.cases import CASE
from goodarm.tables.column_names import is_failure_name
from goodarm.tables.per_arm_columns import NAMES
from goodarm.tables.read_options import ALL, LOST, MONEY, Reading, ReadOptions
from goodarm.tables.table_errors import join_errors
from goodarm.tables.units import UNIT
from goodarm.tables.wide_tables import OPTION, is_option
from goodarm.wording import Arg, ErrorPlace, Text, join, phrase

_WORDS: Final = {
    "arm": "variant variation option test prompt model treatment name",
    "pulls": "n trials visits visitors views users impressions sessions runs attempts total count",
    "successes": "conversions clicks passed wins orders correct success sum",
    "failed": "failed failures fails losses",
    "sum": "total_reward sum_of_rewards reward_sum",
    "rate": (
        "rate mean accuracy ctr cvr conversion_rate click_rate pass_rate success_rate win_rate"
    ),
    "reward": "result outcome passed success converted clicked correct won score rating value",
    "value": "reward rating score stars grade",
    "count": "counts times frequency n",
    LOST: "",
}
_PEOPLE: Final = frozenset({"users", "visitors"})
"""Numbers of people, beside numbers of their visits."""
_RATE_NAMES: Final = re.compile(r".*(rate|quote|ratio|share)|c[tvr]?r")
"""Words of names whose numbers are shares."""
_FLAG: Final = re.compile(r"(is|has|was|did)[\W_]", re.IGNORECASE)
"""Beginning of a column's name that says something about a unit, and is probably no arm."""
_TITLE: Final = "If the first row is a title, remove the rows above the names of the columns."
_PRAISED: Final = frozenset({"successes", "reward"})
"""Meanings of columns where more is better."""
_MAY_SEPARATE: Final = re.compile(r"[^\w ]")
"""Sign in a single column's name that may be a separator of columns."""
_LIVE: Final = "labelled_at"
"""Column that only goodarm's own table of a live experiment has."""
_PERCENT: Final = frozenset({"percent", "percentage", "pct"})
_BROKEN: Final = frozenset({"error", "errors", "errored", "broken"})
"""Columns of tests that ran, and neither passed nor failed."""
_NOT_RUN: Final = frozenset({"skipped", "skips"})
"""Columns of tests that did not run, but may be in a total."""
_COUNTED: Final = frozenset({"n", "count", "counts", "pulls", "trials", "weight"})
"""Columns that may say how many rewards a row stands for."""


_COUNTED_CASES: Final = (
    "ignored {name}: if it names cases or people who come again, their pulls are not independent"
)
_INDEX: Final = re.compile(r"(?:unnamed: ?\d+)?")
"""Names of the column that holds a frame's index once it is written to a file: none, or pandas'."""
_MIN_OPTIONS: Final = 2
_MAX_NOTED: Final = 6


class Header(NamedTuple):
    """Names of the columns that are needed, by meaning, and a note on how they were read.

    The arm's column comes first.
    """

    names: Mapping[str, str]
    note: str


def normalize_name(name: str) -> str:
    """Normalize a column's name: lower case, words separated by one space, no percent sign.

    >>> normalize_name(" Conversion-Rate (%)")
    'conversion rate'
    """
    return " ".join(re.sub(r"[\s_\-%()#]+", " ", name).casefold().split())


def _is_index(name: str) -> bool:
    return _INDEX.fullmatch(name.strip().casefold()) is not None


_COMMON_NAMES: Final = {
    meaning: frozenset(map(normalize_name, words.split())) for meaning, words in _WORDS.items()
}
_SUCCESS_NAMES: Final = frozenset({"successes", *_COMMON_NAMES["successes"]})
"""Columns that are rates where their name says percent: "Clicks (%)"."""


def is_percent_name(name: str) -> bool:
    """Return whether a column's name says that its numbers are in percent.

    >>> is_percent_name("Clicks (%)"), is_percent_name("pct_passed"), is_percent_name("clicks")
    (True, True, False)
    """
    return "%" in name or not _PERCENT.isdisjoint(normalize_name(name).split())


def is_rate_name(name: str) -> bool:
    """Return whether a column's name says that its numbers are shares.

    >>> is_rate_name("error rate"), is_rate_name("Klickrate"), is_rate_name("CR %")
    (True, True, True)
    >>> is_rate_name("errors"), is_rate_name("crates")
    (False, False)
    """
    return is_percent_name(name) or any(map(_RATE_NAMES.fullmatch, normalize_name(name).split()))


def find_columns(source: str, reading: Reading, present: Sequence[str]) -> Header:
    """Find the columns of a table, and note how they were read.

    Raises one error that names all missing and ambiguous columns.
    """
    match = ColumnMatch(source, reading.form, present)
    if match.header is None:
        raise match.error()
    if match.header.note:
        reading.note(match.header.note)
    return match.header


class ColumnMatch:
    """Match of a table's column names with meanings.

    If ``header`` is None, ``error`` returns the error that says why; it is worded only then.
    """

    def __init__(self, source: str, form: ReadOptions, present: Sequence[str]) -> None:
        self.source, self.form = source, form
        self.present = [name for name in present if isinstance(name, str)]
        self._normalized = {name: normalize_name(name) for name in self.present}
        given = [*form.columns.values(), *([] if form.unit is None else [form.unit])]
        self._user_given = {name for each in given for name in self._find_named_columns(each)}
        self.names: dict[str, str] = {}
        self.missing: list[str] = []
        self.errors: list[Callable[[], SpecError]] = []
        if form.wide is not None:
            self._find_options()
            is_done = not self.errors and not self._find_repeated_names()
            self.header = Header(self.names, self._note_options()) if is_done else None
            return
        meanings = form.meanings
        if "rate" in form.columns:
            meanings = tuple("rate" if each == "successes" else each for each in meanings)
        for meaning in (*meanings, *form.own, *filter(None, (form.money,))):
            self._find(meaning)
        if form.is_raw:
            self._refuse_counted()
            self._find_units()
        if form.more_meanings and (not form.strict or "failed" in form.columns):
            self._find_substitutes()
        if form.optional_meanings:
            self._find_lost()
        is_done = not self.errors and not self.missing and not self._find_repeated_names()
        self.header = Header(self.names, self._note()) if is_done else None

    def _find(self, meaning: str, *, is_needed: bool = True) -> None:
        """Look for the column with one meaning."""
        candidates = self._find_candidates(meaning)
        if len(candidates) == 1:
            self.names[meaning] = candidates[0]
        elif candidates:
            self.errors.append(partial(self._make_ambiguity_error, meaning, candidates))
        elif is_needed or meaning in self.form.columns:
            self.missing.append(meaning)

    def _find_options(self) -> None:
        """Look for the columns of a wide table: an arm in each, and those that name the unit."""
        wide = self.form.wide
        if wide == ALL:
            units = {*find_case_columns(self.present), *self._user_given}
            options = [n for n in self.present if n not in units and not _is_index(n)]
        else:
            options = []
            for wanted in wide or ():
                found = self._find_named_columns(wanted)
                if len(found) == 1:
                    options += found
                else:
                    self.errors.append(partial(self._make_error, f"include {wanted!r}"))
        if len(options) < _MIN_OPTIONS:
            if not self.errors:
                self.errors.append(
                    partial(self._make_error, "have a column for each of several arms")
                )
            return
        named = {f"{OPTION} {k}": name for k, name in enumerate(options, start=1)}
        self.names = {"arm": options[0], **named}
        self._find_units()

    def _note_options(self) -> str:
        options = [name for meaning, name in self.names.items() if is_option(meaning)]
        shown = ", ".join(options[:_MAX_NOTED])
        if len(options) > _MAX_NOTED:
            shown += f" and {len(options) - _MAX_NOTED} more"
        doubts = [name for name in options if _FLAG.match(name)] if self.form.wide == ALL else []
        doubt = f"; {doubts[0]} may be no arm (if so, name the columns that are)" if doubts else ""
        return f"read columns {shown} as arms{doubt}"

    def _find_substitutes(self) -> None:
        """Look for columns to compute missing successes (rate) or pulls (failed) from."""
        has_pulls, has_successes = "pulls" in self.names, "successes" in self.names
        if self.errors or "rate" in self.names:
            return
        if has_pulls and not has_successes and "successes" not in self.form.columns:
            self._find("rate", is_needed=False)
            self._accept_substitute("rate", "successes")
            self._find_failed_of_pulls()
        elif has_successes and not has_pulls and "pulls" not in self.form.columns:
            self._find("failed", is_needed=False)
            self._accept_substitute("failed", "pulls")
            if "failed" in self.names and "failed" not in self.form.columns:
                self._refuse_lost_tests("failed", "counts as failed", _BROKEN)
        elif has_successes and has_pulls and not self._is_certain():
            self._find("failed", is_needed=False)
            if "failed" not in self.names and "pulls" not in self.form.columns:
                self._refuse_lost_tests("pulls", "counts", _BROKEN | _NOT_RUN)

    def _find_units(self) -> None:
        """Look for the column of units or, where none is named, for columns that name cases."""
        if self.form.unit is not None:
            self._find(UNIT)
        elif self.form.repeats == "refuse":
            self._find_cases()

    def _find_failed_of_pulls(self) -> None:
        """Look for failures beside pulls: the rest are successes, if all tests are one or other."""
        if "rate" in self.names:  # failures are only compared with it
            if "pulls" not in self.form.columns and len(self._find_candidates("failed")) == 1:
                self._find("failed", is_needed=False)
            return
        self._find("failed", is_needed=False)
        self._accept_substitute("failed", "successes")
        if "failed" in self.names and "failed" not in self.form.columns:
            self._refuse_lost_tests("failed", "counts as failed", _BROKEN | _NOT_RUN)

    def _find_lost(self) -> None:
        """Look for the column of lost pulls: of a live experiment, or as the user says.

        In any other table such a column may mean something else, such as games lost.
        """
        is_live = _LIVE in self.present
        if LOST in self.form.columns or (is_live and LOST in self._list_free_columns()):
            self._find(LOST)
        elif is_live and "rate" in self.names:
            self.errors.append(partial(self._make_error, f"include {LOST!r}", _EXPORT_AGAIN))

    def _find_cases(self) -> None:
        """Look for columns that name cases, which are optional."""
        free = Counter(self._list_free_columns())
        found = find_case_columns(name for name in free if free[name] == 1)
        self.names |= {
            CASE if k == 1 else f"{CASE} {k}": name for k, name in enumerate(found, start=1)
        }

    def _refuse_counted(self) -> None:
        """Refuse a value beside a count: a row may be one reward, or as many as the count says."""
        name = self.names.get("reward", "")
        counted = [
            other for other in self._list_free_columns() if self._normalized[other] in _COUNTED
        ]
        if "reward" in self.form.columns or normalize_name(name) != "value" or not counted:
            return
        self.errors.append(partial(self._make_uncounted_error, name, counted[0]))

    def _make_uncounted_error(self, name: str, counted: str) -> SpecError:
        remedy = phrase(
            "If it is, {pass} {values} in place of {raw}; if each row is one reward, {pass} "
            "{columns}.",
            values=Arg("values", True),
            raw=Arg("raw", True),
            columns=Arg("columns", {"reward": name}),
        )
        rule = f"make clear whether {counted!r} is the number of times that {name!r} came"
        return self._make_error(rule, remedy)

    def _is_certain(self) -> bool:
        """Return whether pulls and successes are certain: documented names, or the user's own."""
        return "failed" not in self.form.columns and all(
            meaning in self.form.columns or self.names[meaning] == meaning
            for meaning in ("pulls", "successes")
        )

    def _accept_substitute(self, found: str, instead_of: str) -> None:
        if found in self.names and instead_of in self.missing:
            self.missing.remove(instead_of)

    def _refuse_lost_tests(self, meaning: str, counts: str, others: frozenset[str]) -> None:
        """Refuse a column of errors or skipped tests: it is unclear whether they count."""
        lost = [name for name in self.present if self._normalized[name] in others]
        if lost:
            self.errors.append(partial(self._make_lost_tests_error, meaning, counts, lost[0]))

    def _make_lost_tests_error(self, meaning: str, counts: str, lost: str) -> SpecError:
        name = self.names[meaning]
        remedy = phrase(
            "If {name} is right as it is, {pass} {columns}; if not, add a column of pulls.",
            columns=Arg("columns", {meaning: name}),
            name=repr(name),
        )
        return self._make_error(f"make clear whether {lost!r} {counts}", remedy)

    def _find_repeated_names(self) -> list[str]:
        counts = Counter(self.present)
        return [name for name in self.names.values() if counts[name] > 1]

    def error(self) -> SpecError:
        """Return one error for everything that is wrong."""
        errors = [make() for make in self.errors]
        if len(self.missing) == len(self.form.meanings):
            errors.append(self._make_no_header_error())
        else:
            errors += map(self._make_missing_column_error, self.missing)
        errors += [
            self._make_error(f"have {name!r} only once") for name in self._find_repeated_names()
        ]
        for number, error in enumerate(errors):
            if any(error.remedy == other.remedy for other in errors[:number]):
                errors[number] = error.replace_fields(remedy="")
        return errors[0] if len(errors) == 1 else join_errors(errors)

    def _make_error(self, rule: str, remedy: Text = "") -> SpecError:
        return invalid_argument(
            "columns", "check", rule, list(self.present), remedy, ErrorPlace(self.source)
        )

    def _note(self) -> str:
        """Say how the columns were read, if any does not have its documented name."""
        parts = [
            f"{name} as {meaning}"
            for meaning, name in self.names.items()
            if meaning in self.form.meanings and meaning != name
        ]
        ignored = [
            f"ignored {name}"
            for name in self._list_free_columns()
            if self._normalized[name] == "threshold"
        ]
        if "rate" in self.names:
            parts.append(f"{self.names['rate']} x {self.names['pulls']} as successes")
        if self.form.is_raw:
            counted = [
                name for name in self._list_free_columns() if self._normalized[name] in _COUNTED
            ]
            ignored += [f"ignored {name}" for name in counted]
        else:
            ignored += [
                _COUNTED_CASES.format(name=name)
                for name in find_case_columns(self._list_free_columns())
            ]
        if "failed" in self.names and "pulls" not in self.names:
            parts.append(f"{self.names['successes']} + {self.names['failed']} as pulls")
        elif "failed" in self.names and not {"successes", "rate"} & self.names.keys():
            parts.append(f"{self.names['pulls']} - {self.names['failed']} as successes")
        return "; ".join([*([f"read {', '.join(parts)}"] if parts else []), *ignored])

    def _find_named_columns(self, name: str) -> list[str]:
        """Return the columns that match a name given by the user: one, none or several."""
        if name in self.present:
            return [name]
        if self.form.strict:
            return []
        wanted = normalize_name(name)
        return list({other: None for other in self.present if self._normalized[other] == wanted})

    def _find_candidates(self, meaning: str) -> list[str]:
        """Return the columns that may have a meaning: as the user says, documented, or common."""
        if meaning in self.form.columns:
            return self._find_named_columns(self.form.columns[meaning])
        if meaning == UNIT:
            return self._find_named_columns(str(self.form.unit))
        free = dict.fromkeys(self._list_free_columns())
        if meaning in free:
            return [meaning]
        if self.form.strict:
            return []
        usual = _COMMON_NAMES[meaning] | (_SUCCESS_NAMES if meaning == "rate" else frozenset())
        documented: list[str] = []
        others: list[str] = []
        for name in free:
            words = self._normalized[name]
            is_documented = words == meaning
            bare = " ".join(word for word in words.split() if word not in _PERCENT).removesuffix(
                " in"
            )
            if (is_documented or bare in usual) and self._can_mean(name, meaning):
                (documented if is_documented else others).append(name)
        return documented or others

    def _can_mean(self, name: str, meaning: str) -> bool:
        """Return whether a name fits a meaning: a percentage is a rate, and a count is not."""
        if is_percent_name(name):
            return meaning in ("arm", "rate")
        return meaning != "rate" or self._normalized[name] in _COMMON_NAMES["rate"]

    def _list_free_columns(self) -> list[str]:
        """Return the columns that have no meaning yet, neither matched nor given by the user."""
        taken = {*self.names.values(), *self._user_given}
        return [name for name in self.present if name not in taken]

    def _make_ambiguity_error(self, meaning: str, candidates: Sequence[str]) -> SpecError:
        listing = " or ".join(map(repr, candidates))
        people = [name for name in candidates if self._normalized[name] in _PEOPLE]
        columns = Arg("columns", {meaning: (people or candidates)[0]})
        rule = f"make clear which column is {meaning!r}: {listing}"
        remedy: Text = phrase("Choose one: {columns}.", columns=columns)
        if people:
            remedy = join(remedy, "Visits of one person are not independent, so prefer people.")
        return self._make_error(rule, remedy)

    def _make_no_header_error(self) -> SpecError:
        """Return the error for a table without a recognizable header."""
        wanted = ", ".join(self.form.columns.get(name, name) for name in self.form.meanings)
        columns = Arg("columns", {"arm": ..., ...: ...})
        remedy: Text = phrase("Name the columns: {columns}.", columns=columns)
        if self._can_be_wide():
            remedy = join(remedy, WIDE)
        if sum(map(bool, self.present)) == 1 and not _MAY_SEPARATE.search("".join(self.present)):
            remedy = join(remedy, _TITLE)
        if self.present == [str(place) for place in range(len(self.present))]:
            by_place = dict(zip(self.form.meanings, self.present, strict=False))
            columns = Arg("columns", by_place)
            remedy = phrase(
                "The columns have no names. Say which they are, such as {columns}.", columns=columns
            )
        elif any(map(_is_number, self.present)):
            remedy = f"The first line looks like data. Add a line above it: {wanted}."
        elif len(self.present) == 1 and _MAY_SEPARATE.search(self.present[0]):
            remedy = phrase("Name the character between columns: {sep}.", sep=Arg("sep", ";"))
        return self._make_error(f"include {wanted}", remedy)

    def _can_be_wide(self) -> bool:
        """Return whether each column may be an arm: rows are rewards, or a column names units."""
        form, names = self.form, self.present
        return form.has_wide and len(names) > 1 and (form.is_raw or bool(find_case_columns(names)))

    def _make_missing_column_error(self, meaning: str) -> SpecError:
        if meaning == UNIT:
            return self._make_error(f"include {self.form.unit!r}")
        name = self.form.columns.get(meaning, meaning)
        free = self._list_free_columns()
        is_plain = len(free) == len(self.missing) == 1
        failures = list(filter(is_failure_name, free)) if meaning in _PRAISED else []
        columns = Arg("columns", {meaning: free[0] if is_plain and not failures else ...})
        remedy: Text = phrase("Name the column: {columns}.", columns=columns)
        if meaning == "successes" and is_plain and is_rate_name(free[0]):
            remedy = phrase(
                "If it is a rate, {pass} {columns}.", columns=Arg("columns", {"rate": free[0]})
            )
        if failures and (is_plain or meaning == "successes"):
            remedy = self._make_failures_remedy(meaning, failures[0])
        names = set() if meaning in (*NAMES, *MONEY) else set(self._normalized.values())
        if {"value", "count"} <= names and not self.form.is_values:
            remedy = phrase(
                "If each row says how often a value came, {pass} {values}.",
                values=Arg("values", True),
            )
        elif "reward" in names and meaning != "reward" and not self.form.is_raw:
            remedy = _RAW
        elif {"pulls", "successes"} <= names and meaning == "reward":
            remedy = phrase("For a table of counts, leave out {raw}.")
        elif meaning == "pulls" and names & _COMMON_NAMES["reward"]:
            remedy = join(remedy, _RAW)
        elif meaning in ("pulls", "successes") and (outcomes := self._find_outcome_columns()):
            remedy = phrase(
                "If they are numbers of failures and successes, {pass} {columns}.",
                columns=Arg("columns", dict(zip(("failed", "successes"), outcomes, strict=True))),
            )
        elif meaning == "arm" and self.source == "the frame":
            remedy = join(remedy, "If the arms are the index, call reset_index().")
        return self._make_error(f"include {name!r}", remedy)

    def _make_failures_remedy(self, meaning: str, name: str) -> Text:
        """Return the remedy where a column that is probably of failures is all there is."""
        if meaning == "successes" and not is_rate_name(name):
            return phrase(
                "If {name} is the number of failures, {pass} {columns}.",
                name=repr(name),
                columns=Arg("columns", {"failed": name}),
            )
        return f"{name!r} seems to say what failed: give a column of what succeeded."

    def _find_outcome_columns(self) -> tuple[str, str] | None:
        """Return the columns of a cross table of outcomes 0 and 1."""
        pairs = (("0", "1"), ("False", "True"))
        is_open = self.form.is_counts and self.form.is_bernoulli
        return next((pair for pair in pairs if is_open and {*pair} <= {*self.present}), None)


_EXPORT_AGAIN: Final = (
    "An older version of goodarm wrote this table, in which pulls may have been lost. Export the "
    "experiment again."
)
WIDE: Final = phrase(
    "If each column is an arm and each row a unit, {pass} {wide}.", wide=Arg("wide", "all")
)
_RAW: Final = phrase("If each row is one reward, {pass} {raw}.", raw=Arg("raw", True))


def _is_number(text: str) -> bool:
    try:
        return bool(text) and float(text.replace(",", ".")) == float(text.replace(",", "."))
    except ValueError:
        return False
