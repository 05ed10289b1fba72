"""Live core: an identifier in memory, the events of its journal, and their replay.

================ ==================================================================================
experiment       Experiment: the protocol of everything that can be asked and told
identifier       Identifier: ask and tell in memory
identifier_core  its state, and the acts that change it once
arm_state        arrays over arms
arm_tests        rewards on their way into the tests, and the labels that they prove
reward_queue     rewards that wait to enter a test, in the order asked
observations     rewards that have entered, one by one
case_order       order of the cases of pools
arm_selection    choice of the arms to ask next
validation       validation of pulls and rewards
arm_table        table of arms
document         JSON document of an identifier
settings         settings that an experiment is created with; flag_policy: those of feature flags
events           events of a journal
experiment_state state of an experiment: identifier, leases, status
verbs            everything that can be done to an experiment, and the table of it
replay           replay of events; event_validation: whether they can have happened
verification     labels and evidence computed again from the rewards
history          intervals at some moments
snapshot_columns arrays of a state, for snapshots
remaining_pulls  forecast of the pulls that are left
================ ==================================================================================

Nothing here reads a clock, draws at random, or does any input or output.
"""

from goodarm.live.arm_table import make_table_from_reports
from goodarm.live.events import EVENT_TYPES, ArmAdded, Event, NoteAdded, event_from_dict
from goodarm.live.experiment import Experiment, ExperimentVerbs
from goodarm.live.experiment_state import ExperimentState, PullInProgress, Status
from goodarm.live.flag_policy import FlagPolicy
from goodarm.live.history import (
    DEFAULT_HISTORY_POINTS,
    ArmHistory,
    HistoryRecorder,
    Moment,
    make_grid,
)
from goodarm.live.identifier import Identifier
from goodarm.live.remaining_pulls import forecast_pulls
from goodarm.live.replay import replay
from goodarm.live.settings import (
    FLAG_WAITS_WARNING,
    TIMEOUT_KEYS,
    ExperimentSettings,
    RewardTimeout,
    check_flag_rule,
    find_flag_warning,
)
from goodarm.live.snapshot_columns import copy_state, make_columns, restore_state
from goodarm.live.verbs import (
    VERBS,
    Field,
    FieldType,
    Verb,
    VerbResult,
    expire,
    make_no_pulls_left_error,
    perform,
)
from goodarm.live.verification import Difference, replay_and_recompute

__all__ = [
    "DEFAULT_HISTORY_POINTS",
    "EVENT_TYPES",
    "FLAG_WAITS_WARNING",
    "TIMEOUT_KEYS",
    "VERBS",
    "ArmAdded",
    "ArmHistory",
    "Difference",
    "Event",
    "Experiment",
    "ExperimentSettings",
    "ExperimentState",
    "ExperimentVerbs",
    "Field",
    "FieldType",
    "FlagPolicy",
    "HistoryRecorder",
    "Identifier",
    "Moment",
    "NoteAdded",
    "PullInProgress",
    "RewardTimeout",
    "Status",
    "Verb",
    "VerbResult",
    "check_flag_rule",
    "copy_state",
    "event_from_dict",
    "expire",
    "find_flag_warning",
    "forecast_pulls",
    "make_columns",
    "make_grid",
    "make_no_pulls_left_error",
    "make_table_from_reports",
    "perform",
    "replay",
    "replay_and_recompute",
    "restore_state",
]
