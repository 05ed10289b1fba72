"""What is wanted of an experiment. A request is data: the same one can be made again."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from goodarm.problem import Arm
from goodarm.results import Pull


@dataclass(frozen=True)
class Request:
    """The base of all requests."""

    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"kind": self.kind, **asdict(self)}


@dataclass(frozen=True)
class Ask(Request):
    """At most ``count`` pulls; for a worker, the same ones again until it has told them."""

    kind: ClassVar[str] = "ask"
    count: int = 1
    worker: str | None = None
    lease: float | None = None
    """seconds after which others may have them"""


@dataclass(frozen=True)
class Tell(Request):
    """The rewards of pulls."""

    kind: ClassVar[str] = "tell"
    pulls: tuple[Pull, ...]
    rewards: tuple[float, ...]


@dataclass(frozen=True)
class Forget(Request):
    """Pulls whose rewards will not come."""

    kind: ClassVar[str] = "forget"
    pulls: tuple[Pull, ...]
    loss_is_independent: bool = False


@dataclass(frozen=True)
class Observe(Request):
    """Rewards that nobody asked for."""

    kind: ClassVar[str] = "observe"
    arm: Arm
    rewards: tuple[float, ...]
    cases: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Add(Request):
    """One more arm, with ``pool`` cases where arms have pools."""

    kind: ClassVar[str] = "add"
    arm: Arm
    pool: int | None = None


@dataclass(frozen=True)
class TakeOut(Request):
    """Never ask this arm again."""

    kind: ClassVar[str] = "take_out"
    arm: Arm


@dataclass(frozen=True)
class Pause(Request):
    """Ask nothing for a while."""

    kind: ClassVar[str] = "pause"


@dataclass(frozen=True)
class Resume(Request):
    """Go on asking."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True)
class Close(Request):
    """End it for good."""

    kind: ClassVar[str] = "close"


@dataclass(frozen=True)
class Create(Request):
    """It was created. That changes nothing: under a key it is written down, with who did it."""

    kind: ClassVar[str] = "create"


def digest_of(request: Request) -> str:
    """A hash of a request, by which it is known again under its key."""
    text = json.dumps(request.to_dict(), sort_keys=True, allow_nan=False, default=float)
    return hashlib.sha256(text.encode()).hexdigest()
