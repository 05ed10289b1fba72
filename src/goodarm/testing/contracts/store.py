"""Contract of stores, in one class."""

import pytest

from goodarm.testing.contracts.concurrency import ConcurrencyContract
from goodarm.testing.contracts.durability import DurabilityContract
from goodarm.testing.contracts.helpers import PassTime
from goodarm.testing.contracts.leases import LeaseContract


class Clock:
    """Clock that stands still until it is moved: ``Store(recorder, clock)``.

    Args:
        now: the time at the start, in seconds.

    >>> clock = Clock()
    >>> clock.move(60)
    >>> clock()
    1060.0
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the time, in seconds."""
        return self.now

    def move(self, seconds: float) -> None:
        """Let this number of seconds pass.

        Args:
            seconds: the time that passes.
        """
        self.now += seconds


class StoreContract(DurabilityContract, LeaseContract, ConcurrencyContract):
    """Contract that every store must fulfil, as tests for pytest.

    A store joins by a subclass with the fixture ``open_store``: a function that opens the same
    store once more, as another process would. Restarts are part of the contract. It uses only what
    a user can call, so that a client of a server can join, too.

    .. code-block:: python

        class TestMine(StoreContract):
            @pytest.fixture
            def open_store(self, clock, tmp_path):
                return lambda: Store(MyRecorder(tmp_path), clock)

    Some tests let time pass. They move ``clock``, on which the store must run; a store with a clock
    of its own gives ``pass_time`` in its place, a function of seconds, and a ``lease`` for which it
    is not too long to wait.

    >>> [name for name in dir(StoreContract) if name.startswith("test_a_label")]
    ['test_a_label_once_given_stays']
    """

    @pytest.fixture
    def clock(self) -> Clock:
        """Return the clock of the store."""
        return Clock()

    @pytest.fixture
    def pass_time(self, clock: Clock) -> PassTime:
        """Return a function that lets a number of seconds pass."""
        return clock.move
