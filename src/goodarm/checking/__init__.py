"""Check of a table: reads it (``tables``) and judges its arms (``judging``).

======== ================================================================================
check    the function that users call
requests the request to a table, from keywords or a Problem
======== ================================================================================
"""

from goodarm.checking.check import check

__all__ = ["check"]
