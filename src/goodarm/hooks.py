"""What a lower floor asks of a higher one. The front door, which knows all floors, fills it in."""

from collections.abc import Callable
from typing import Any, Final


class Hook:
    """A function that is given later.

    >>> double = Hook()
    >>> double.fill(lambda number: 2 * number)
    >>> double(3)
    6
    """

    def __init__(self) -> None:
        self._function: Callable[..., Any] | None = None

    def fill(self, function: Callable[..., Any]) -> None:
        """Say which function it is."""
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        if self._function is None:
            raise AssertionError("the front door fills every hook")
        return self._function(*arguments)


plot_arms: Final = Hook()
"""Draws an ArmTable into matplotlib's Axes; for None, into those of a new figure."""
