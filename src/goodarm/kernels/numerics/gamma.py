"""Log of the gamma function, the same in every form of a kernel.

Compiled code calls the function of the C library. Python has its own, which differs in the last
digits.
"""

import ctypes
import math
import sys
from collections.abc import Callable
from typing import Final

from goodarm.kernels.compilation.jit import interpreted_as


def _of_c_library() -> Callable[[float], float]:
    """Find the function of the C library; return Python's own if there is none."""
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
    """Return the log of Gamma(x), for positive x."""
    return math.lgamma(x)
