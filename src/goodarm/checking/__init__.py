"""A table judged: reading (``tables``) and judging (``judging``) put together.

========= ===============================================================================
check     what users call
questions what is asked, from keywords or a Problem
========= ===============================================================================
"""

from goodarm.checking.check import check

__all__ = ["check"]
