"""Pagination of long lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class ListPage(Generic[_Item]):
    """One page of a list: its items, its number, and the addresses of the others."""

    items: list[_Item]
    total: int
    number: int
    pages: int
    first: int
    """the number of the first item, from 1; 0 if there is none"""
    address: Callable[[int], str]

    @property
    def last(self) -> int:
        """Number of the last item."""
        return self.first + len(self.items) - 1 if self.items else 0

    @property
    def before(self) -> str | None:
        """Address of the page before."""
        return self.address(self.number - 1) if self.number > 1 else None

    @property
    def after(self) -> str | None:
        """Address of the next page."""
        return self.address(self.number + 1) if self.number < self.pages else None


def get_page(
    items: Sequence[_Item], number: int, size: int, address: Callable[[int], str]
) -> ListPage[_Item]:
    """Return the page of that number, or the last one if there are fewer."""
    pages = max(-(-len(items) // size), 1)
    number = min(max(number, 1), pages)
    start = (number - 1) * size
    found = list(items[start : start + size])
    return ListPage(found, len(items), number, pages, start + 1 if found else 0, address)
