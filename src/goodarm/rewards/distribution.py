"""What every distribution has."""

from dataclasses import asdict, fields
from typing import Any, ClassVar, Self

from goodarm.arguments import check_document
from goodarm.errors import SpecError


class Distribution:
    """What an arm's rewards are drawn from, one independent of the other. Frozen and JSON-able."""

    kind: ClassVar[str]

    @property
    def mean(self) -> float:
        """The expected reward."""
        raise NotImplementedError

    @property
    def sd(self) -> float:
        """The standard deviation of a reward."""
        raise NotImplementedError

    @property
    def support(self) -> tuple[float, float]:
        """The least and the largest reward."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The distribution as a JSON document."""
        parts: dict[str, Any] = asdict(self)  # type: ignore[call-overload]
        listed = {key: list(v) if isinstance(v, tuple) else v for key, v in parts.items()}
        return {"kind": self.kind, "format": 1, **listed}

    @classmethod
    def from_dict(cls, document: object) -> Self:
        """The distribution a JSON document describes, validated like any other."""
        keys = tuple(field.name for field in fields(cls))  # type: ignore[arg-type]
        found = check_document(document, cls.kind, keys)
        unknown = [key for key in found if key not in (*keys, "kind", "format")]
        if unknown:
            raise SpecError(
                f"The {cls.kind} document has keys that it must not have: {unknown!r}.",
                argument=unknown[0],
                owner=f"the {cls.kind} document",
                rule="be left out",
                value=found[unknown[0]],
            )
        return cls(**{key: found[key] for key in keys})
