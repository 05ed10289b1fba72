"""Check of a table: reads it (``tables``) and judges its arms (``judging``).

========== ==============================================================================
check      the function that users call
data_notes notes on which way is good, and on what was not tested
memory     labels that stay between looks
one_look   a table for a single look
requests   the request to a table, from keywords or a Problem
========== ==============================================================================
"""

from goodarm.checking.check import check
from goodarm.checking.one_look import Looks

__all__ = ["Looks", "check"]
