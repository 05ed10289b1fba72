"""Means as they are typed: 0.7,0.4 or a=0.7,b=0.4."""

from typing import TYPE_CHECKING

from goodarm.errors import must

if TYPE_CHECKING:
    from goodarm.problem import Arm


def parse_means(text: str, owner: str = "simulate") -> "list[float] | dict[Arm, float]":
    """Means separated by commas, each a number or label=number."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    named = [part for part in parts if "=" in part]
    if named and len(named) < len(parts):
        raise must("--means", owner, "name all arms or none", text)
    try:
        if not named:
            return [float(part) for part in parts]
        pairs = [part.rsplit("=", 1) for part in parts]
        means: dict[Arm, float] = {label.strip(): float(mean) for label, mean in pairs}
    except ValueError:
        rule = "be numbers separated by commas, such as 0.7,0.4 or a=0.7,b=0.4"
        raise must("--means", owner, rule, text) from None
    if len(means) < len(parts):
        raise must("--means", owner, "name every arm once", text)
    return means
