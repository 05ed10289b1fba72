"""Figures by matplotlib.

========= =========================================================================
arms      arms as intervals against the threshold
histories how arms' intervals narrowed
gaps      pulls against gap; plans: pulls to expect
pictures  figures written to files
styles    settings, colours and marks
texts     users' texts in figures; fonts: for letters that the usual font lacks
========= =========================================================================
"""

from goodarm.errors import missing_extra

try:
    import matplotlib  # noqa: F401 (whether it is there)
except ImportError:
    raise missing_extra("A picture", "plot") from None
