"""Ask and tell: an identifier at work on a live experiment.

========== ============================================================================
identifier Identifier, what users call
ledger     what waits to enter each arm's test, in the order asked
standings  each arm's numbers, for its test and for the sampling rule
choosing   which arms are asked next
told       what may be told, forgotten and observed
cases      which case of its pool a pull is made on
entered    the rewards that have entered each test, one by one
intake     rewards on their way into the tests
report     arms' numbers for a person
document   the state as JSON, and back
columns    the state as arrays, and back: for a cache
parts      what an identifier is made of, for the files above
trying     what it would do, without doing it: for who keeps a journal
obeying    doing what was written down, without choosing: for who replays one
========== ============================================================================
"""

from goodarm.identifier.identifier import Identifier

__all__ = ["Identifier"]
