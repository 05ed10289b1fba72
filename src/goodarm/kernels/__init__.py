"""Compiled room: the inner loops, with numbers in and numbers out.

May import numpy, math and numba with its llvmlite, and nothing of goodarm outside this folder.
Holds no strings, no validation and no classes but NamedTuples, but for ``compilation``. Importing
it loads no numba: that is done when a kernel is first called in its compiled form.

================================ ===========================================================
codes                            integer codes of rules and reward kinds, and ``Setup``
dispatch                         each rule's branches
clock                            the total pulls, rounded down so that indices stand still
index                            indices of arms, and when one is certain to lie above another
keys                             indices that are kept while the clock stands
tree                             a tournament of arms: the largest key and the second
selection                        the largest index of all undecided arms
label                            the label that an arm's rewards prove
compilation.jit                  the decorators that compile, and when calls are interpreted
compilation.dispatchers          kernels as numba has them, and where compiled code is kept
compilation.part_compiler        kernels inside other kernels, without machine code of their own
compilation.background           processes that compile for this one
compilation.notice               the message that kernels are being compiled
numerics.philox                  counter-based random words
numerics.formulas                the papers' formulas, one floating-point expression each
numerics.gamma                   the log of the gamma function
numerics.beta                    masses of Beta distributions
numerics.mixture                 the mixture test of many arms
numerics.pools                   the mixture test in a finite pool
numerics.bets                    the wealth of rules that bet
numerics.bet_bounds              bounds on the mean from bets
numerics.pulls_needed            the further pulls until an arm is labelled
simulation.place                 an arm's place on its tape, and the words it reads there
simulation.laws                  distributions of rewards that are more than a mean
simulation.tape                  the k-th reward of an arm: a function of (seed, run, arm, k)
simulation.state                 one run: ``State`` defines it, ``Scratch`` makes it fast
simulation.caches                ceilings over indices, and least bounds
simulation.keys                  the keys of a run
simulation.arm_test              the test of an arm after a pull
simulation.pull                  pulls, for every loop, and the warm-up
simulation.plain_loop            the plain simulation, pull by pull
simulation.steering              the length of the next jump
simulation.walk                  one arm, pulled from event to event down to a mark
simulation.jump                  all arms, pulled down to a mark, or one far above the others
simulation.warm_up               the warm-up of the fast loops
simulation.stepped_loop          jump by jump, where the clock stands for a while
simulation.continuous_loop       jump by jump, where it moves with every pull
simulation.loop_choice           the choice between these loops
live.records                     a live experiment in plain arrays
live.caps                        the pulls of an arm that may wait to be told
live.next_pulls                  the pulls asked next
live.rewards                     rewards told, and their entry into the arms' tests
================================ ===========================================================
"""
