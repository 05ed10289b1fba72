"""The version of goodarm: here, so that every floor can say it."""

__version__ = "0.1.0"
