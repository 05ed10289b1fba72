"""Gates in pytest: a marked test is repeated until its pass rate is proven.

``hooks`` is what pytest calls, ``settings`` what may be set, ``repeating`` runs a gate, ``parts``
watches its subtests, ``reruns`` keeps others from running it again, ``telling`` shows what came of
it, ``pages`` writes reports, and ``private`` holds what is no public part of pytest or of its
plugins.
"""

import pytest


class GateWarning(pytest.PytestWarning):
    """Something else wants to repeat a gate, and does not."""
