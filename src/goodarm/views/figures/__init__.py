"""Figures by matplotlib.

========= =========================================================================
arms      arms as intervals against the threshold
histories how arms' intervals narrowed
gaps      pulls against gap; plans: pulls to expect
pictures  a figure on its way into a file
looks     settings, colours and marks
words     users' words in figures; fonts: for letters that the usual font lacks
========= =========================================================================
"""
