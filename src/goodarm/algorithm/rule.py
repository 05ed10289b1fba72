"""What all rules of one's own share: a name, and settings that are compared and written down."""

from abc import ABC
from dataclasses import asdict, is_dataclass
from typing import Any, ClassVar


class Rule(ABC):
    """A rule is what its class and its settings make it; settings are fields of a dataclass."""

    name: ClassVar[str]
    """how users and documents call it"""
    formula: ClassVar[str] = "as its code says"
    """what it computes, in the notation of the docs"""

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON: its name and its settings."""
        settings: dict[str, Any] = asdict(self) if is_dataclass(self) else {}
        return {"rule": self.name, **settings}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))
