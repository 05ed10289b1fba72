"""Compiled room: the inner loops, with numbers in and numbers out.

May import numpy, math and numba, and nothing of goodarm outside this folder. Holds no strings, no
validation and no classes but NamedTuples. Importing this package alone loads no numba; importing
one of its compiled modules does.

========== ================================================================================
codes      integer codes of rules and reward kinds, and ``Setup``, what every kernel is told
jit        the decorators that compile
philox     counter-based random words
tape       the k-th reward of an arm, as a function of (seed, run, arm, k)
formulas   the papers' formulas, one floating-point expression each
bets       the wealth of rules that bet
dispatch   which rule it is: each rule's branches
index      indices of arms, and when one is certain to lie above another
state      one run under way: ``State`` defines it, ``Scratch`` makes it fast
caches     ceilings over indices, and least bounds
label      the label that an arm's rewards prove
choose     which arm next
pull       pulls, for every loop, and the warm-up
loop       the plain simulation, pull by pull
steering   how far the next jump goes
walk       one arm, pulled from event to event as long as its index lies above a mark
jump       all arms, pulled down to a mark, or one that is far above the others
fast       the same run as the loop, jump by jump
live       a live experiment: ask and tell on plain arrays
needs      how many pulls of an arm may wait to be told
choosing   which pulls are asked next
telling    rewards come in and enter the tests
beta       masses of Beta distributions
mixture    the mixture test of many arms
========== ================================================================================
"""
