"""Compiled room: the inner loops, with numbers in and numbers out.

May import numpy, math and numba, and nothing of goodarm outside this folder. Holds no strings, no
validation and no classes but NamedTuples. Importing this package alone loads no numba; importing
one of its compiled modules does.

========== ================================================================================
codes      integer codes of rules and reward kinds, and ``Setup``, what every kernel is told
jit        the two decorators that compile
philox     counter-based random words
tape       the k-th reward of an arm, as a function of (seed, run, arm, k)
rules      the bound of each identification rule, and the label it proves
index      the index of each sampling rule
bets       the wealth of rules that bet
run        one run under way
prove      what an arm's next reward proves
beta       masses of Beta distributions
evidence   the mixture test of many arms
choose     which arm next
loop       the plain simulation, pull by pull
walk       one arm, pulled from event to event as long as its index lies above a mark
steering   how far the next jump goes
jump       all arms, pulled down to a mark, or one that is far above the others
fast       the same run as the loop, jump by jump
========== ================================================================================
"""
