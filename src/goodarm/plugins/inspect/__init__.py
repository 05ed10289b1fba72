"""Early stopping for Inspect: ``Task(..., early_stopping=GoodArm(...))`` stops at the verdict."""

from goodarm.plugins.inspect.early_stop import GoodArm

__all__ = ["GoodArm"]
