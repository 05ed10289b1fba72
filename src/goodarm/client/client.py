"""Client of a service: experiments by name, as in a store."""

from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from goodarm.algorithm import Algorithm
from goodarm.arguments import as_float, check_name
from goodarm.client.address import check_address, check_token
from goodarm.client.documents import write_settings
from goodarm.client.experiment import RemoteExperiment
from goodarm.client.experiment_resource import EXPERIMENTS_PATH, ExperimentResource
from goodarm.errors import SpecError, invalid_argument, missing_extra
from goodarm.live import FlagPolicy, RewardTimeout
from goodarm.old_names import refuses_old_keywords
from goodarm.problem import Problem
from goodarm.store import ListedExperiment

if TYPE_CHECKING:
    import httpx

PATIENCE_SECONDS: Final = 60.0
TIMEOUT_SECONDS: Final = 35.0
"""Timeout of one attempt, in seconds: a little more than a service waits for other writers."""
_PAGE_EXPERIMENTS: Final = 1000


class Client:
    """Client of a service, ``goodarm serve``. It needs the extra ``client``.

    .. code-block:: python

        with ga.Client("http://127.0.0.1:8642", token) as client:
            exp = client.experiment("banners")
            while not exp.is_done:
                pull = exp.ask(worker="ann")
                exp.tell(pull, reward(pull.arm))

    It offers what a Store does. Requests without an answer are repeated, with growing pauses: each
    is safe to repeat. Threads may share a client.

    Args:
        url: address of the service.
        token: token from 'goodarm token create'; None if the service needs none.
        patience: seconds of retries before an error is raised.
        timeout: seconds for one attempt; reading a whole journal may take longer.
        http: an ``httpx.Client`` of your own, for proxies and certificates.

    Raises:
        MissingExtra: httpx is not installed.
        SpecError: an argument is invalid.

    >>> with Client("http://127.0.0.1:8642") as client:  # connects with the first request
    ...     print(client)
    Client('http://127.0.0.1:8642')
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = PATIENCE_SECONDS,
        timeout: float = TIMEOUT_SECONDS,
        http: "httpx.Client | None" = None,
    ) -> None:
        try:
            from goodarm.client.connection import ServiceConnection
        except ModuleNotFoundError as error:
            if error.name != "httpx":
                raise
            raise missing_extra("A client", "client") from None
        seconds = {"patience": patience, "timeout": timeout}
        for argument, value in seconds.items():
            number = as_float(value)
            if number is None or not 0 < number < float("inf"):
                raise invalid_argument(argument, "Client", "be a number of seconds above 0", value)
        address, secret = check_address(url), check_token(token)
        self._connection = ServiceConnection(address, secret, float(patience), float(timeout), http)

    @property
    def url(self) -> str:
        """Address of the service."""
        return self._connection.server

    @refuses_old_keywords("Client.experiment")
    def experiment(
        self,
        name: str,
        problem: Problem | None = None,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
        reward_timeout: RewardTimeout | None = None,
        flag_policy: FlagPolicy | None = None,
    ) -> RemoteExperiment:
        """Create an experiment, or open the one of that name, as ``Store.experiment`` does.

        Args:
            name: letters, digits, dots, dashes and underscores, at most 64.
            problem: the problem of a new experiment; None opens an existing one.
            algorithm: as in `Identifier`.
            seed: as in `Identifier`.
            reward_timeout: rule for missing rewards; unless given, they are waited for.
            flag_policy: policy for the clients of a feature flag.

        Returns:
            The experiment at the service.

        Raises:
            SpecError: an argument is invalid, there is no such experiment, or it has other
                settings.
            NotAllowed: the token does not allow it.
            StoreDown: the service did not answer for as long as the client's ``patience``.
        """
        check_name("name", "Store.experiment", name)
        resource = ExperimentResource(name, self._connection)
        if problem is None:
            resource.open()
        else:
            resource.create(
                write_settings(name, problem, algorithm, seed, reward_timeout, flag_policy)
            )
        return RemoteExperiment(resource)

    def experiments(self) -> list[ListedExperiment]:
        """Return all experiments that the token may see, by name."""
        return [ListedExperiment(each["name"], each["entries"]) for each in self.summaries()]

    def summaries(self) -> list[dict[str, Any]]:
        """Return all experiments with status, counts of labels, pulls and last change, as JSON."""
        return list(self._connection.pages(EXPERIMENTS_PATH, "experiments", _PAGE_EXPERIMENTS))

    def export(self, name: str, path: str | PathLike[str]) -> None:
        """Write an experiment's whole journal into a file, as JSON lines.

        Args:
            name: the experiment's name.
            path: the file to write.

        Raises:
            SpecError: there is no experiment of this name.
        """
        check_name("name", "Store.export", name)
        self._connection.download(f"{EXPERIMENTS_PATH}/{name}/export.jsonl", Path(path))

    def delete(self, name: str) -> bool:
        """Delete an experiment and its journal for good; return whether there was one.

        Args:
            name: the experiment's name.

        Raises:
            NotAllowed: the token's scope is not ``admin``.
        """
        try:
            check_name("name", "Store.delete", name)
        except SpecError:
            return False  # nothing can have it
        return ExperimentResource(name, self._connection).delete()

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"
