"""Contract of stores, as classes of tests: a store's author makes a subclass with a fixture."""

from goodarm.testing.contracts.store import Clock, StoreContract

__all__ = ["Clock", "StoreContract"]
