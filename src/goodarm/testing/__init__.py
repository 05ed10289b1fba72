"""Checks for your own rules and stores: the ones that goodarm's own pass.

Rules are checked by plain functions that raise an AssertionError which names the property and the
numbers, and return a report of what was checked. They work in any test runner, and in none. Stores
are checked by a class of tests for pytest.
"""

from typing import TYPE_CHECKING, Any

from goodarm.errors import missing_extra
from goodarm.testing.identification import check_identification_rule
from goodarm.testing.report import RuleReport
from goodarm.testing.sampling import check_sampling_rule

if TYPE_CHECKING:
    from goodarm.testing.contracts import Clock, StoreContract

__all__ = [
    "Clock",
    "RuleReport",
    "StoreContract",
    "check_identification_rule",
    "check_sampling_rule",
]


def __getattr__(name: str) -> Any:
    """Load the contract when it is used, because it needs pytest."""
    if name not in ("Clock", "StoreContract"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import pytest
    except ImportError:
        raise missing_extra(f"goodarm.testing.{name}", "pytest") from None
    pytest.register_assert_rewrite(f"{__name__}.contracts")
    from goodarm.testing import contracts

    return getattr(contracts, name)
