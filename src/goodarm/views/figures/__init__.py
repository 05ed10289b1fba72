"""Figures by matplotlib.

========= =========================================================================
arms      arms as intervals against the threshold
histories how arms' intervals narrowed
gaps      pulls against gap; plans: pulls to expect
pictures  figures written to files
looks     settings, colours and marks
words     users' texts in figures; fonts: for letters that the usual font lacks
========= =========================================================================
"""
