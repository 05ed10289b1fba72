"""Compiled room: the inner loops, with numbers in and numbers out.

May import numpy, math and numba, and nothing of goodarm outside this folder. Holds no strings, no
validation and no classes but NamedTuples. Importing this package alone loads no numba; importing
one of its compiled modules does.

========== ================================================================================
codes      integer codes of rules and reward kinds, and ``Setup``, what every kernel is told
jit        the one decorator that compiles
philox     counter-based random words
tape       the k-th reward of an arm, as a function of (seed, run, arm, k)
rules      the index of each sampling rule and the bound of each identification rule
choose     which arm next
loop       the plain simulation, pull by pull
contenders the few arms that can be pulled next, among very many
jump       many failing pulls at once
fast       the same run as the loop, from event to event
========== ================================================================================
"""
