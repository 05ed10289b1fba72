"""Gates in pytest: a marked test is repeated until its pass rate is proven.

``hooks`` has the hooks that pytest calls, ``settings`` the options, ``repeating`` runs a gate,
``parts`` watches its subtests, ``reruns`` keeps other plugins from running it again, ``telling``
shows its result, ``pages`` writes reports, and ``private`` holds all use of non-public parts of
pytest and of its plugins.
"""

import pytest


class GateWarning(pytest.PytestWarning):
    """Warning that something else wants to repeat a gate, and is ignored."""
