"""Protection from plugins that run failed tests again until they pass."""

import warnings

import pytest

from goodarm.plugins.pytest import GateWarning
from goodarm.plugins.pytest.pytest_internals import find_rerun_request, find_retry_plugin


def check_reruns(item: pytest.Item) -> None:
    """Warn of what asks for reruns and does not get them; fail for what cannot be prevented."""
    node, retrier, asker = item.nodeid, find_retry_plugin(item), find_rerun_request(item)
    if retrier is not None:
        pytest.fail(
            f"{node} is a gate, and {retrier} would silently repeat its failures, which proves "
            f"nothing. Remove its mark 'flaky', or run with -p no:{retrier}.",
            pytrace=False,
        )
    if asker is not None:
        warnings.warn(
            GateWarning(
                f"{node} is a gate, so {asker} does not apply to it: running it "
                "again until it passes proves nothing."
            ),
            stacklevel=1,
        )
