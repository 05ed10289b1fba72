"""Simulation: runs on known means, and the reward tapes behind them."""

from goodarm.simulation.run import simulate
from goodarm.simulation.tape import Tape

__all__ = ["Tape", "simulate"]
