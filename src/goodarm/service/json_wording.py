"""Wording of the API's errors: JSON pointers to the library's arguments in a body."""

from typing import Final

from goodarm.live import VERBS, FlagPolicy, RewardTimeout
from goodarm.problem import Problem
from goodarm.wording import JsonWording

_OWNERS: Final = {
    Problem.__name__: "/problem",
    RewardTimeout.__name__: "/silence",
    FlagPolicy.__name__: "/serving",
    "Identifier": "",
    "Store.experiment": "",
    "the problem document": "/problem",
    "the algorithm document": "/algorithm",
    **dict.fromkeys(VERBS, ""),
}
_POINTERS: Final[dict[str | tuple[str, str], str]] = {
    **{name: f"/problem/{name}" for name in Problem.__dataclass_fields__},
    ("observe", "reward"): "/rewards",
    (RewardTimeout.__name__, "default"): "/silence/otherwise",
    ("Store.experiment", "reward_timeout"): "/silence",
    ("Store.experiment", "flag_policy"): "/serving",
    "identification": "/algorithm",
    "sampling": "/algorithm",
    "warmup": "/algorithm",
}
_FUNCTIONS: Final = {"observe": f"POST {VERBS['observe'].route}"}

WORDING: Final = JsonWording(_OWNERS, _POINTERS, _FUNCTIONS, queries=("arms", "history"))
