"""Gates in pytest: a marked test is repeated until its pass rate is proven.

``hooks`` is what pytest calls, ``settings`` what may be set, ``repeating`` runs a gate, ``telling``
shows what came of it, ``pages`` writes reports, and ``private`` holds what is no public part of
pytest and its plugins.
"""

import pytest


class GateWarning(pytest.PytestWarning):
    """Something else wants to repeat a gate, and does not."""
