"""Log of the gamma function, to the same digits in compiled and in interpreted kernels.

Compiled code calls the function of the C library. Python has its own, which differs in the last
digits, so interpreted kernels call that of the C library too.
"""

import ctypes
import math
import sys
from collections.abc import Callable
from typing import Final

from goodarm.kernels.compilation.jit import interpret_with


def _find_c_lgamma() -> Callable[[float], float]:
    """Find the function of the C library.

    Return Python's own if it cannot be reached: the last digits may then differ.
    """
    try:
        # None is the running process itself, which contains the C library.
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        function = library.lgamma
    except (OSError, AttributeError):
        return math.lgamma
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return function


_c_lgamma: Final = _find_c_lgamma()


@interpret_with(_c_lgamma)
def log_gamma(x: float) -> float:
    """Return the log of Gamma(x), for positive x."""
    return math.lgamma(x)  # what compiled code replaces by the C function
