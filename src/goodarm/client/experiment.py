"""Experiment of a service: offers over HTTP what a stored one does."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, cast

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_count, check_flag, check_list
from goodarm.client.documents import (
    read_histories,
    read_pull_in_progress,
    read_pulls,
    read_verdict,
    write_pull,
)
from goodarm.client.experiment_resource import ExperimentResource
from goodarm.client.keys import draw_key
from goodarm.errors import NOTHING_LEFT, ProtocolError, invalid_argument
from goodarm.live import (
    DEFAULT_HISTORY_POINTS,
    VERBS,
    ArmHistory,
    ExperimentVerbs,
    FlagPolicy,
    PullInProgress,
    RewardTimeout,
    Status,
    make_table_from_reports,
)
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmTable, Pull, Verdict
from goodarm.store import JournalHead, Verified

if TYPE_CHECKING:
    from goodarm.client.connection import Answer
    from goodarm.live import Identifier

_PAGE_ARMS: Final = 100_000
_PAGE_PULLS: Final = 1000
_PAGE_ENTRIES: Final = 1000
"""Items on a page."""


class RemoteExperiment(ExperimentVerbs):
    """Experiment of a service. ``Client.experiment`` opens one.

    It has the names, arguments, results and errors of `Experiment`. Requests without an answer are
    repeated and count once: telling a reward again is a no-op, and so is every request that sets a
    state; a worker gets the same pulls again; the rest is sent under a ``key``, which is drawn
    unless given.

    Args:
        resource: the experiment at the service.

    >>> import goodarm as ga
    >>> with ga.Client("http://127.0.0.1:1", patience=0.1) as client:
    ...     client.experiment("banners", ga.Problem(2, threshold=0.5))
    Traceback (most recent call last):
    goodarm.errors.StoreDown: ...
    """

    def __init__(self, resource: ExperimentResource) -> None:
        self._resource = resource

    @property
    def name(self) -> str:
        """Name in the store."""
        return self._resource.name

    @property
    def problem(self) -> Problem:
        """Problem, with the arms that were added."""
        return self._resource.read_current(lambda found: Problem.from_dict(found["problem"]))

    @property
    def algorithm(self) -> Algorithm:
        """Algorithm at work."""
        return self._resource.read_constant(lambda found: Algorithm.from_dict(found["algorithm"]))

    @property
    def seed(self) -> int:
        """Seed that was given, or drawn."""
        return self._resource.read_constant(lambda found: int(found["seed"]))

    @property
    def reward_timeout(self) -> RewardTimeout:
        """Meaning of a missing reward."""
        return self._resource.read_constant(lambda found: RewardTimeout.from_dict(found["silence"]))

    @property
    def flag_policy(self) -> FlagPolicy:
        """Policy for the clients of a feature flag."""
        return self._resource.read_constant(lambda found: FlagPolicy.from_dict(found["serving"]))

    @property
    def arm_when_done(self) -> Arm | None:
        """Arm that ``flag_policy`` chooses by the labels so far; None if there is none."""
        # It has the verdict and the reports of an identifier, and no more is asked of one.
        return self.flag_policy.arm_when_done(cast("Identifier", self))

    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """Return the next pull to make."""
        document = self._ask({"count": 1, "worker": worker, "lease": lease}, key).document
        pulls = self._resource.read(document, read_pulls)
        if pulls:
            return pulls[0]
        why = document.get("why")
        raise ProtocolError(
            why if isinstance(why, str) else "There is nothing left to ask.",
            argument="count",
            owner="ask",
            rule="have pulls left to ask",
            reason=NOTHING_LEFT,
        )

    def do(self, verb: str, key: str | None = None, **fields: Any) -> list[Pull]:
        """Do a verb of the table, and return the pulls of an ask; none for the other verbs."""
        entry = VERBS[verb]
        if "rewards" in fields:
            fields["rewards"] = self._convert_flags(fields["rewards"])
        if verb == "ask":
            return self._resource.read(self._ask(fields, key).document, read_pulls)
        if verb == "tell":
            owner = "tell" if len(fields["pulls"]) == 1 else "tell_many"
            pulls = [write_pull(pull, owner) for pull in fields["pulls"]]
            body = {"pulls": pulls, "rewards": list(fields["rewards"])}
            if fields.get("costs") is not None:
                body["costs"] = list(fields["costs"])
            self._resource.post("/pulls:tell", body, owner, key)
            return []
        if verb == "forget":
            check_flag("loss_is_independent", "forget", fields["loss_is_independent"])
            (pull,) = fields.pop("pulls")
            given = write_pull(pull, "forget")
            number = given.pop("number")
            self._resource.post(f"/pulls/{number}:forget", {**fields, **given}, "forget", key)
            return []
        if key is None and not entry.is_repeatable:
            key = draw_key()
        given = {name: value for name, value in fields.items() if value is not None}
        self._resource.post(entry.route, given, verb, key)
        return []

    def _convert_flags(self, rewards: Iterable[Any]) -> list[Any]:
        """Return 0/1 rewards with True as 1 and False as 0, as in memory; others as they are."""
        found = list(rewards)
        is_flag = [isinstance(each, bool) or type(each).__name__ == "bool" for each in found]
        if not any(is_flag) or self.problem.rewards != "bernoulli":
            return found
        return [int(each) if flag else each for each, flag in zip(found, is_flag, strict=True)]

    def _ask(self, fields: dict[str, Any], key: str | None) -> "Answer":
        if key is None and fields["worker"] is None:
            key = draw_key()
        given = {name: value for name, value in fields.items() if value is not None}
        return self._resource.post("/pulls:ask", given, "ask", key)

    def together(self) -> AbstractContextManager[None]:
        """Raise an error: over HTTP others would have to wait for this client.

        Returns:
            Nothing: it always raises.

        Raises:
            ProtocolError: tell several rewards with ``tell_many``, which is one request.
        """
        raise ProtocolError(
            "A service does not support together(): all other clients would have to wait.",
            argument="together",
            owner="Client.experiment",
            rule="be left out",
            remedy="Use tell_many to commit several rewards at once.",
        )

    @property
    def status(self) -> Status:
        """Status: running, paused, done or closed."""
        return self._resource.read_current(lambda found: cast(Status, found["status"]))

    @property
    def is_done(self) -> bool:
        """True if all arms are labelled, or it has ended otherwise."""
        return self.status in ("done", "closed")

    @property
    def entries(self) -> int:
        """Number of entries in the journal."""
        return self._resource.read_current(lambda found: int(found["entries"]))

    @property
    def changed_at(self) -> float | None:
        """Time of the last entry, in seconds since 1970; None before the first."""
        return self._resource.read_current(lambda found: cast("float | None", found["changed_at"]))

    @property
    def pulls(self) -> int:
        """Number of rewards that came in."""
        return self._resource.read_current(lambda found: int(found["pulls"]))

    def pull(self, number: int) -> Pull:
        """Return the pull with this number; raise an error if it was not asked.

        Args:
            number: the pull's number.

        Raises:
            ProtocolError: it was not asked.
        """
        whole = check_count("number", "pull", number)
        for each in self.out:
            if each.pull.number == whole:
                return each.pull
        for entry in self.journal():
            resource = whole - entry["first"] if entry["kind"] == "asked" else -1
            if 0 <= resource < len(entry.get("arms", ())):
                case = entry["cases"][resource] if "cases" in entry else None
                return Pull(whole, self.problem.arms[entry["arms"][resource]], case)
        raise ProtocolError(
            f"Pull {whole} was never asked.",
            argument="number",
            owner="pull",
            rule="be one that was asked",
            value=whole,
        )

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        return [each.pull for each in self.out]

    @property
    def out(self) -> list[PullInProgress]:
        """Pulls in progress, with their workers, times and leases."""
        return self._resource.pages("/pulls", "out", _PAGE_PULLS, read_pull_in_progress)

    @property
    def verdict(self) -> Verdict:
        """Labels so far, valid at every moment."""
        return self._resource.read(self._resource.get("/verdict").document, read_verdict)

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's numbers and label.

        Args:
            arm: the arm's label.

        Raises:
            SpecError: no arm has this label.
        """
        return self._resource.pages("/arms", "reports", 1, ArmReport.from_dict, arm=_label(arm))[0]

    def table(self) -> ArmTable:
        """Return every arm's numbers, in arm order."""
        reports = self._resource.pages("/arms", "reports", _PAGE_ARMS, ArmReport.from_dict)
        return make_table_from_reports(self.problem, self.algorithm, reports)

    def history(
        self,
        arms: Iterable[Arm] | None = None,
        points: int = DEFAULT_HISTORY_POINTS,
        progress: Callable[[int], None] | None = None,
    ) -> list[ArmHistory]:
        """Return how intervals narrowed, as ``StoredExperiment.history`` does.

        The service does the work: ``progress`` is called only at the end.

        Args:
            arms: labels; all arms if None.
            points: the most moments of each arm.
            progress: called with the entries replayed.

        Raises:
            SpecError: an arm is unknown, or ``points`` is no whole number from 1 on.
        """
        params: dict[str, Any] = {"points": check_count("points", "history", points)}
        if arms is not None:
            named = check_list("arms", "history", arms, "labels of arms")
            if not named:
                return []
            params["arm"] = [_label(arm) for arm in named]
        document = self._resource.get("/history", params, is_slow=True).document
        histories = self._resource.read(document, lambda found: read_histories(found["histories"]))
        if progress is not None:
            progress(self.entries)
        return histories

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """Return all events after an entry, as JSON documents; they are read in pages.

        Args:
            after: the number of the entry before the first.
        """
        return self._resource.pages("/journal", "entries", _PAGE_ENTRIES, dict, after=after)

    @property
    def head(self) -> JournalHead:
        """Number and hash of the journal's last entry. Keep them elsewhere for ``verify``."""
        return self._resource.read_current(
            lambda found: JournalHead(int(found["entries"]), str(found["head"] or ""))
        )

    def verify(
        self, progress: Callable[[int], None] | None = None, *, head: str | None = None
    ) -> Verified:
        """Compute all labels and their evidence again; raise an error if the journal differs.

        The service does the work: ``progress`` is called only at the end.

        Args:
            progress: called with the entries verified.
            head: hash of the last row, or its beginning, that you have kept elsewhere.

        Returns:
            How many entries, rewards and labels were verified, and the last hash.

        Raises:
            StoreTampered: the journal is not what its rewards prove, or not what ``head`` was the
                end of.
        """
        given = {} if head is None else {"head": head}
        document = self._resource.post(":verify", given, "verify", is_slow=True).document
        verified = self._resource.read(
            document,
            lambda found: Verified(
                found["entries"], found["rewards"], found["labels"], str(found["head"] or "")
            ),
        )
        verified.kept_at = self._resource.read(document, lambda found: found.get("kept_at"))
        if progress is not None:
            progress(verified.entries)
        return verified

    def __repr__(self) -> str:
        verdict = self.verdict
        return (
            f"RemoteExperiment({self._resource.name!r} at {self._resource.server}: "
            f"{len(verdict.good)} good, {len(verdict.bad)} bad, {len(verdict.undecided)} undecided "
            f"after {verdict.pulls} pulls)"
        )


def _label(arm: Arm) -> str:
    """Return an arm's label for a query: labels are unique as text."""
    if isinstance(arm, bool) or not isinstance(arm, str | Integral):
        raise invalid_argument("arm", "explain", "be the label of an arm", arm)
    return str(arm)
