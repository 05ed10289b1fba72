"""Philox4x64-10, the counter-based generator behind every reward tape.

Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3. SC 2011. The words are
those of ``numpy.random.Philox`` with the same key and the counter minus one: numpy increments its
counter before it draws.
"""

import numpy as np

from goodarm.kernels.compilation.jit import inlined, kernel

_MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
_MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
_WEYL_0 = np.uint64(0x9E3779B97F4A7C15)
_WEYL_1 = np.uint64(0xBB67AE8584CAA73B)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_UNUSED_BITS = np.uint64(11)
_ROUNDS = 10


@inlined
def multiply_high(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the upper 64 bits of the 128-bit product of two words."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF
    b_low, b_high = b & _LOW_HALF, b >> _HALF
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    carry = (a_low * b_high) + (middle & _LOW_HALF)
    return a_high * b_high + (middle >> _HALF) + (carry >> _HALF)


@kernel
def philox(
    key_0: np.uint64,
    key_1: np.uint64,
    counter_0: np.uint64,
    counter_1: np.uint64,
    counter_2: np.uint64,
    counter_3: np.uint64,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four random words for a key of two words and a counter of four."""
    for _ in range(_ROUNDS):
        high_0 = multiply_high(_MULTIPLIER_0, counter_0)
        low_0 = _MULTIPLIER_0 * counter_0
        high_1 = multiply_high(_MULTIPLIER_1, counter_2)
        low_1 = _MULTIPLIER_1 * counter_2
        counter_0, counter_1, counter_2, counter_3 = (
            high_1 ^ counter_1 ^ key_0,
            low_1,
            high_0 ^ counter_3 ^ key_1,
            low_0,
        )
        key_0 += _WEYL_0
        key_1 += _WEYL_1
    return counter_0, counter_1, counter_2, counter_3


@inlined
def to_uniform(word: np.uint64) -> float:
    """Convert a word to a number in (0, 1], a multiple of 2**-53."""
    return float((word >> _UNUSED_BITS) + np.uint64(1)) * (1.0 / 9007199254740992.0)
