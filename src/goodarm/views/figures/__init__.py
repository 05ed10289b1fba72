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
