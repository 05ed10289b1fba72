"""Rows checked one by one and added up to each arm's counts; nothing is guessed in silence.

Where the decimal sign is not known, two accounts are kept, one with a point and one with a comma.
One that meets a fault is closed as soon as the other meets none.
"""

import re
from collections.abc import Iterable
from typing import Final, TypeVar

import numpy as np

from goodarm.errors import SpecError
from goodarm.judging.totals import Totals
from goodarm.tables.arms import ArmBook
from goodarm.tables.cases import CaseBook
from goodarm.tables.chunks import Chunk, empty_table
from goodarm.tables.counts import Account, Asked, Counts
from goodarm.tables.headers import plain
from goodarm.tables.read_options import Reading
from goodarm.tables.table_errors import MOST, Fault, as_error
from goodarm.wording import Arg, Place, phrase

_TOTALS: Final = frozenset({"total", "totals", "sum", "all", "overall", "grand total", "gesamt"})
_IN_TOTALS: Final = re.compile("total|sum|all|gesamt", re.IGNORECASE)
"""One of these is in each of them: other names, which are most, need no closer look."""


def add_up(chunks: Iterable[Chunk], asked: Asked, reading: Reading) -> Totals:
    """Each arm's counts; one error names every row that is wrong."""
    form = reading.form
    opened = [Account(sign, asked, form) for sign in form.signs]
    book, accounts, source, is_named = gather(chunks, reading, opened)
    account = _agreed(accounts, source)
    if account.spread is not None and asked.problem.sigma is not None:
        account.spread.check_sigma(asked.problem.sigma, book.order)
    for note in account.numerals.notes:
        reading.note(note)
    if form.is_counts and not form.keep_total and not is_named:
        _refuse_total(book, account.counts, source)
    for own in account.own.values():
        own.check_names(book.order)
    thresholds = account.own["threshold"].by_arm
    pools = account.own["pool"].by_arm if "pool" in account.own else None
    found = Totals(tuple(book.order), *account.counts, thresholds, pools)
    if account.book is None:
        return found
    values, wealth = account.book.counts(thresholds, pools)
    return found._replace(values=values, wealth=wealth)


_Kept = TypeVar("_Kept", bound=Account)


def gather(
    chunks: Iterable[Chunk], reading: Reading, accounts: list[_Kept]
) -> tuple[ArmBook, list[_Kept], str, bool]:
    """All rows in their accounts, or in those with the fewest faults, and the book of arms.

    Then the table's name, and whether all its rows are arms for certain. One error names every row
    that is wrong.
    """
    book, cases = ArmBook(reading), CaseBook()
    last: SpecError | None = None
    source, is_named = "check", False
    rows = iter(chunks)
    while True:
        try:
            chunk = next(rows, None)
        except SpecError as error:
            last = error
            break
        if chunk is None:
            break
        source, is_named = chunk.source, chunk.is_named
        book.faults += chunk.faults
        codes = book.enter(chunk)
        cases.add(chunk, codes)
        for account in accounts:
            account.add(chunk, codes, book.order)
        accounts = _open(accounts)
        num_faults = len(book.faults) + len(accounts[0].faults)
        if num_faults > MOST or (num_faults and chunk.is_counted):
            break
    faults = [*book.faults, *accounts[0].faults]
    if faults or last is not None:
        raise as_error(source, faults, last)
    if not len(book):
        raise empty_table(source)
    cases.refuse_repeats(source, book.order)
    return book, accounts, source, is_named


def _open(accounts: list[_Kept]) -> list[_Kept]:
    """Those without faults, or else the one that has the fewest."""
    clean = [account for account in accounts if not account.faults]
    return clean or [min(accounts, key=lambda account: len(account.faults))]


def _agreed(accounts: list[Account], source: str) -> Account:
    """The account that counts; an error shows both readings where they differ."""
    if len(accounts) == 1:
        return accounts[0]
    first, second = accounts
    if all(map(np.array_equal, first.counts, second.counts)):
        return first
    raise _two_readings(first, second)


def _two_readings(first: Account, second: Account) -> SpecError:
    point, comma = first.trace, second.trace
    if point is None or comma is None:
        raise AssertionError("accounts that differ have met a sign")
    return SpecError(
        f"The {point.column!r} of {point.place} can be read in two ways: {point.cell!r} "
        f"is {point.value:.15g} with a decimal point and {comma.value:.15g} with a decimal comma.",
        argument=point.column,
        owner="check",
        rule="be a number in one way alone",
        value=point.cell,
        remedy=phrase(
            "Say which: {point} or {comma}.",
            point=Arg("decimal", "."),
            comma=Arg("decimal", ","),
        ),
        place=point.place._replace(column=point.column),
    )


def _refuse_total(book: ArmBook, counts: Counts, source: str) -> None:
    """A row that is called a total, or is the sum of all others, is hardly an arm."""
    total, whole = counts.pulls.sum(), counts.sums.sum()
    is_half = (counts.pulls * 2 == total) & np.isclose(counts.sums * 2, whole, rtol=1e-9, atol=0.0)
    names = map(str, book.order)
    is_named = np.array(
        [bool(_IN_TOTALS.search(name)) and plain(name) in _TOTALS for name in names]
    )
    is_sum = is_half & (counts.pulls > 0) & (np.count_nonzero(counts.pulls) > 2)
    for place in np.flatnonzero(is_named | is_sum):
        where = Place(source, entry=book.place_of(int(place)))
        keep = Arg("keep_total", True)
        remedy = phrase("Leave it out, or {pass} {keep} if it is an arm.", keep=keep)
        rule = "be an arm, and not the sum of the other rows"
        fault = Fault(0, where, book.column, rule, book.order[place], remedy)
        raise fault.error()
