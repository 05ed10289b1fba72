"""The log of the gamma function, the same in every form of a kernel.

Compiled code calls that of the C library. Python has one of its own, which differs from it in the
last digits.
"""

import ctypes
import math
import sys
from collections.abc import Callable
from typing import Final

from goodarm.kernels.compilation.jit import interpreted_as


def _of_c_library() -> Callable[[float], float]:
    """Find the function of the C library; Python's own where there is none."""
    try:
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        function = library.lgamma
    except (OSError, AttributeError):
        return math.lgamma
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return function


_in_c: Final = _of_c_library()


@interpreted_as(_in_c)
def log_gamma(x: float) -> float:
    """The log of Gamma(x), for positive x."""
    return math.lgamma(x)
