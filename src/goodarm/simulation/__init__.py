"""Simulation: runs on known means, and the reward tapes behind them."""

from goodarm.simulation.even_run import EvenTraffic
from goodarm.simulation.inputs import SimulationInput, read_input
from goodarm.simulation.instance import (
    Distributions,
    Means,
    SimulatedArms,
    check_ends,
    fit_instance,
    split_means,
)
from goodarm.simulation.run import Engine, make_runs, simulate
from goodarm.simulation.run_files import check_folder
from goodarm.simulation.start import Start
from goodarm.simulation.tape import Tape
from goodarm.simulation.workers import StageCallback, check_workers

__all__ = [
    "Distributions",
    "Engine",
    "EvenTraffic",
    "Means",
    "SimulatedArms",
    "SimulationInput",
    "StageCallback",
    "Start",
    "Tape",
    "check_ends",
    "check_folder",
    "check_workers",
    "fit_instance",
    "make_runs",
    "read_input",
    "simulate",
    "split_means",
]
