"""Gates in pytest: a marked test is repeated until its pass rate is proven.

``hooks`` has the hooks that pytest calls, ``settings`` the options, ``gate_run`` runs a gate,
``subtests`` watches its subtests, ``reruns`` keeps other plugins from running it again,
``gate_output`` shows its result, ``report_files`` writes reports, and ``pytest_internals`` holds
all use of non-public parts of pytest and of its plugins.
"""

import pytest


class GateWarning(pytest.PytestWarning):
    """Warning that something else wants to repeat a gate, and is ignored."""
