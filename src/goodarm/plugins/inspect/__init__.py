"""Early stopping for Inspect: ``Task(..., early_stopping=GoodArm(...))`` stops at the verdict."""

from goodarm.plugins.inspect.stopping import GoodArm

__all__ = ["GoodArm"]
