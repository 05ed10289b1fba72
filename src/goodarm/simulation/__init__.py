"""Simulation: runs on known means, and the reward tapes behind them."""

from goodarm.simulation.run_files import check_folder
from goodarm.simulation.inputs import Given, given_arms
from goodarm.simulation.instance import (
    Distributions,
    Instance,
    Means,
    check_ends,
    fit_instance,
    split_means,
)
from goodarm.simulation.run import Engine, make_runs, simulate
from goodarm.simulation.tape import Tape
from goodarm.simulation.workers import StageCallback, check_workers

__all__ = [
    "Distributions",
    "Engine",
    "Given",
    "Instance",
    "Means",
    "StageCallback",
    "Tape",
    "check_ends",
    "check_folder",
    "check_workers",
    "fit_instance",
    "given_arms",
    "make_runs",
    "simulate",
    "split_means",
]
