"""An identifier and its journal: what was asked and told is written down, and replayed.

========= =============================================================================
entries   what happened, as small values with a JSON form
requests  what is wanted of an experiment
start     what it was created with: problem, algorithm, seed, and what silence means
serving   which arm those get who only want one
state     an experiment as its entries have made it
deciding  what a request comes to: the next entry. Chooses, and changes nothing
applying  what an entry does. Changes the state, and chooses nothing
possible  whether an entry can have been written
columns   the state as arrays, for a cache
verifying a journal against labels and evidence that are computed again
history   how each arm's interval narrowed, by a replay
tabling   the arms as the table that ``check`` makes of counts
========= =============================================================================

Nothing here reads a clock, draws at random, or does any input or output.
"""

from goodarm.experiment.applying import apply
from goodarm.experiment.deciding import Decision, answer_of, decide, due, nothing_left
from goodarm.experiment.entries import Entry, entry_from_dict
from goodarm.experiment.history import ArmHistory, Moment
from goodarm.experiment.requests import (
    Add,
    Ask,
    Close,
    Create,
    Forget,
    Observe,
    Pause,
    Request,
    Resume,
    TakeOut,
    Tell,
    digest_of,
)
from goodarm.experiment.serving import Serving
from goodarm.experiment.start import Silence, Start, check_flag_rule, flag_warning
from goodarm.experiment.state import State
from goodarm.experiment.tabling import table_of
from goodarm.experiment.verifying import verify

__all__ = [
    "Add",
    "ArmHistory",
    "Ask",
    "Close",
    "Create",
    "Decision",
    "Entry",
    "Forget",
    "Moment",
    "Observe",
    "Pause",
    "Request",
    "Resume",
    "Serving",
    "Silence",
    "Start",
    "State",
    "TakeOut",
    "Tell",
    "answer_of",
    "apply",
    "check_flag_rule",
    "decide",
    "digest_of",
    "due",
    "entry_from_dict",
    "flag_warning",
    "nothing_left",
    "table_of",
    "verify",
]
