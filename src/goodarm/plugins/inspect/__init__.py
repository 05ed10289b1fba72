"""Inspect, stopped as soon as the verdict is proven: ``Task(..., early_stopping=GoodArm(...))``."""

from goodarm.plugins.inspect.stopping import GoodArm

__all__ = ["GoodArm"]
