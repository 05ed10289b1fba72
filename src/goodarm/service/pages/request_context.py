"""Visit: one request for a page, with the visitor, their permissions, and addresses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from goodarm.errors import StoreError
from goodarm.service.access import RequestCaller, RouteScope
from goodarm.service.open_experiments import OpenExperiments
from goodarm.service.pages.sessions import Session
from goodarm.service.pages.site_state import SiteState
from goodarm.service.problems import INVALID, Refusal
from goodarm.service.routing import Service
from goodarm.service.thread_pools import PoolName
from goodarm.store import StoredExperiment, Token

MAX_FORM_FIELDS: Final = 100
ANONYMOUS_NAME: Final = "page"
"""Name in the journal for visitors where no token is needed."""


class Visit(NamedTuple):
    """Authenticated request for a page."""

    site: SiteState
    service: Service
    request: Request
    session: Session
    token: Token | None
    caller: RequestCaller
    form: Mapping[str, str]
    is_open: bool
    """whether no token is needed; false if the store cannot be read"""
    trouble: StoreError | None = None
    """why the store cannot be read, so that the visitor is not known"""
    tokens: Sequence[Token] = ()
    """all tokens of the store at the time of the request"""
    is_new: bool = False
    """whether the session begins with this request"""

    @property
    def experiments(self) -> OpenExperiments:
        """Experiments of the store."""
        return self.service.experiments

    @property
    def name(self) -> str:
        """Name of the experiment in the path."""
        return str(self.request.path_params["name"])

    @property
    def is_part(self) -> bool:
        """True if the script asks for the part that has changed, and not for the whole page."""
        return self.request.query_params.get("part") == "1"

    def make_url(self, path: str, **query: object) -> str:
        """Return an address of the service, below the path under which a proxy shows it."""
        given = {name: str(value) for name, value in query.items() if value not in (None, "")}
        text = self.service.settings.root_path + quote(path)
        return f"{text}?{urlencode(given)}" if given else text

    def make_experiment_url(self, *parts: object, **query: object) -> str:
        """Return an address below that of the experiment."""
        return self.make_url("/".join(["/experiments", self.name, *map(str, parts)]), **query)

    def mark_current(self, path: str) -> Markup:
        """Return the attribute that marks the link to the current page; empty for other paths."""
        return Markup(' aria-current="page"' if self.path == path else "")

    @property
    def path(self) -> str:
        """Path of the request, below that of the service."""
        return self.request.url.path.removeprefix(self.service.settings.root_path) or "/"

    @property
    def can_manage_tokens(self) -> bool:
        """True if the visitor has full access to all experiments, which managing tokens needs."""
        token = self.token
        return token is not None and token.has_scope("admin") and token.pattern == "*"

    @property
    def who(self) -> str:
        """Name that the journal records for a change."""
        return ANONYMOUS_NAME if self.token is None else self.token.name

    def change_experiment(self, do: Callable[[StoredExperiment], Any]) -> None:
        """Change the experiment, signed with the visitor's name."""
        self.experiments.use(self.name, lambda exp: do(exp.signed(self.who)))

    def get_text(self, name: str, otherwise: str = "", *, longest: int = 200) -> str:
        """Return a parameter of the query, cut to a maximum length."""
        return self.request.query_params.get(name, otherwise)[:longest]

    def get_choice(self, name: str, known: tuple[str, ...], otherwise: str) -> str:
        """Return a parameter of the query if it is a known value; else the default."""
        found = self.get_text(name, otherwise)
        return found if found in known else otherwise

    def get_number(self, name: str, otherwise: int = 1, least: int = 1) -> int:
        """Return a whole number in the query; the default if it is none."""
        found = self.get_text(name)
        is_one = found.isascii() and found.isdigit() and len(found) <= 18
        return max(int(found), least) if is_one else otherwise


class Page(NamedTuple):
    """Declaration of a page: its address, its scope, and its handler."""

    method: str
    path: str
    scope: RouteScope
    show: Callable[[Visit], Response]
    pool: PoolName | None = None
    """pool of threads that renders it, if that takes long"""


def read_form(raw: bytes, request: Request) -> dict[str, str]:
    """Parse the fields of a form; refuse duplicates."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/x-www-form-urlencoded":
        raise Refusal(INVALID, "A form must be sent as application/x-www-form-urlencoded.")
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FORM_FIELDS,
        )
    except ValueError:
        raise Refusal(INVALID, "The form cannot be read.") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Refusal(INVALID, "The form contains a field twice.")
    return fields
