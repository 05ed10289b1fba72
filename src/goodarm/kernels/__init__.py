"""Compiled room: the inner loops, with numbers in and numbers out.

May import numpy, math and numba with its llvmlite, and nothing of goodarm outside this folder.
Holds no strings, no validation and no classes but NamedTuples, but for the modules that speak to
numba: ``jit``, ``dispatchers``, ``parts`` and ``compiling``. Importing it loads no numba: that is
done when a kernel is first called in its compiled form.

=========== ===============================================================================
codes       integer codes of rules and reward kinds, and ``Setup``, what every kernel is told
jit         the decorators that compile, and when small calls are interpreted instead
dispatchers kernels as numba has them, and where compiled code is kept
background  processes that compile for this one
parts       kernels inside other kernels, which have no machine code of their own
philox      counter-based random words
place       where an arm stands on its tape, and the words it reads there
laws        what rewards are drawn from, where that is more than a mean
tape        the k-th reward of an arm, as a function of (seed, run, arm, k)
formulas    the papers' formulas, one floating-point expression each
bets        the wealth of rules that bet
dispatch    which rule it is: each rule's branches
clock       the total pulls, rounded down so that indices stand still for a while
tree        a tournament of arms: the largest index and the second
index       indices of arms, and when one is certain to lie above another
state       one run under way: ``State`` defines it, ``Scratch`` makes it fast
keys        indices that are kept while the clock stands
caches      ceilings over indices, and least bounds
label       the label that an arm's rewards prove
choose      which arm next
pull        pulls, for every loop, and the warm-up
loop        the plain simulation, pull by pull
steering    how far the next jump goes
walk        one arm, pulled from event to event as long as its index lies above a mark
jump        all arms, pulled down to a mark, or one that is far above the others
warm        the warm-up of the fast loops
standing    the same run as the loop, jump by jump, where the clock stands for a while
moving      the same where it moves with every pull
fast        which of these loops it is
live        a live experiment in plain arrays
needs       how many pulls of an arm may wait to be told
asking      which pulls are asked next
telling     rewards come in, and enter their arms' tests
compiling   says that kernels are being compiled, if it takes long
gamma       the log of the gamma function
beta        masses of Beta distributions
mixture     the mixture test of many arms
=========== ===============================================================================
"""
