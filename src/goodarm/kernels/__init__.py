"""Compiled layer: the inner loops, with numbers in and numbers out.

It may import numpy, math and numba with its llvmlite, and nothing of goodarm outside this package.
Apart from ``compilation`` it has no strings, no validation and no classes but NamedTuples. Its
import does not load numba: the first call of a kernel in its compiled form does.

================================ ===========================================================
codes                            integer codes of rules and reward kinds, and ``Setup``
dispatch                         each rule's branches
clock                            the total pulls, rounded down so that indices stay fixed
index                            indices of arms, and comparisons that rounding cannot change
keys                             indices that are kept while the clock does not move
tree                             a tournament tree of arms: the largest and second key
selection                        the largest index of all undecided arms
label                            the label that an arm's rewards prove
compilation.jit                  decorators that compile, and when calls are interpreted
compilation.dispatchers          numba's dispatchers, and the cache of compiled code
compilation.part_compiler        kernels inside other kernels, without own machine code
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
numerics.needed_pulls            the further pulls until an arm is labelled
simulation.place                 an arm's position on its tape, and the words it reads there
simulation.laws                  distributions of rewards, for arms with more than a mean
simulation.tape                  the k-th reward of an arm: a function of (seed, run, arm, k)
simulation.state                 one run: ``State`` defines it, ``Scratch`` makes it fast
simulation.caches                ceilings over indices, and least bounds
simulation.keys                  the keys of a run
simulation.arm_test              the test of an arm after a pull
simulation.pull                  pulls, for every loop, and the warm-up
simulation.plain_loop            the plain simulation, pull by pull
simulation.steering              the length of the next jump
simulation.walk                  one arm, pulled from event to event down to a mark
simulation.jump                  all arms pulled down to a mark, or one far above the others
simulation.warm_up               the warm-up of the fast loops
simulation.stepped_loop          jump by jump, where the clock moves in steps
simulation.continuous_loop       jump by jump, where the clock moves with every pull
simulation.loop_choice           the choice between these loops
live.records                     a live experiment in plain arrays
live.caps                        limits on the pulls of an arm whose rewards are not told yet
live.next_pulls                  the pulls asked next
live.rewards                     rewards told, and how they enter the arms' tests
================================ ===========================================================
"""
