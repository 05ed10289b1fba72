"""Ask and tell: an identifier at work on a live experiment.

========== ============================================================================
identifier Identifier, what users call
ledger     what waits to enter each arm's test, in the order asked
standings  each arm's numbers, for its test and for the sampling rule
choosing   which arms are asked next
told       which pulls may be told
cases      which case of its pool a pull is made on
entered    the rewards that have entered each test, one by one
intake     rewards on their way into the tests
report     arms' numbers for a person
document   the state as JSON, and back
========== ============================================================================
"""

from goodarm.identifier.identifier import Identifier

__all__ = ["Identifier"]
