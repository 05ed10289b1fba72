"""Base class of rules: a name, and settings that are compared and serialized."""

from abc import ABC
from dataclasses import asdict, is_dataclass
from typing import Any, ClassVar


class Rule(ABC):
    """Rule, equal to another of the same class and settings; settings are dataclass fields."""

    name: ClassVar[str]
    """its name for users and in documents"""
    formula: ClassVar[str] = "as its code says"
    """the formula, in the notation of the docs"""

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON: its name and its settings."""
        settings: dict[str, Any] = asdict(self) if is_dataclass(self) else {}
        return {"rule": self.name, **settings}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))
