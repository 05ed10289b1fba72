"""One request for a page: who looks, what they may, and where things are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from goodarm.errors import StoreError
from goodarm.service.access import Caller, Needed
from goodarm.service.calls import Service
from goodarm.service.kept import Kept
from goodarm.service.pages.sessions import Session
from goodarm.service.pages.shared import Shared
from goodarm.service.pools import PoolName
from goodarm.service.problems import INVALID, Refusal
from goodarm.store import Scope, StoredExperiment, Token

MOST_FIELDS: Final = 100
NOBODY: Final = "page"
"""Who has done something where nobody needs a token."""


class Visit(NamedTuple):
    """A request for a page, let in."""

    pages: Shared
    service: Service
    request: Request
    session: Session
    token: Token | None
    caller: Caller
    form: Mapping[str, str]
    is_open: bool
    """whether nobody needs a token; not so if the store cannot say"""
    trouble: StoreError | None = None
    """why the store cannot say who makes the request"""
    tokens: Sequence[Token] = ()
    """all tokens of the store, as the request found them"""
    is_new: bool = False
    """whether the session begins with this request"""

    @property
    def kept(self) -> Kept:
        """The store."""
        return self.service.kept

    @property
    def name(self) -> str:
        """The experiment that the path names."""
        return str(self.request.path_params["name"])

    @property
    def is_part(self) -> bool:
        """True where the script asks for what has changed, and not for the whole page."""
        return self.request.query_params.get("part") == "1"

    def url(self, path: str, **query: object) -> str:
        """Return an address of the service, below the path that a proxy shows it under."""
        given = {name: str(value) for name, value in query.items() if value not in (None, "")}
        text = self.service.settings.root_path + quote(path)
        return f"{text}?{urlencode(given)}" if given else text

    def at(self, *parts: object, **query: object) -> str:
        """Return an address below that of the experiment."""
        return self.url("/".join(["/experiments", self.name, *map(str, parts)]), **query)

    def here(self, path: str) -> Markup:
        """Mark the link to the page that is shown."""
        return Markup(' aria-current="page"' if self.path == path else "")

    @property
    def path(self) -> str:
        """The path of the request, below that of the service."""
        return self.request.url.path.removeprefix(self.service.settings.root_path) or "/"

    def may(self, scope: Scope) -> bool:
        """Return whether the visitor may do what the scope allows."""
        return self.caller.may(scope)

    @property
    def may_manage_tokens(self) -> bool:
        """True for who may do everything with all experiments."""
        token = self.token
        return token is not None and token.may("admin") and token.pattern == "*"

    @property
    def who(self) -> str:
        """Name by which a change is written down."""
        return NOBODY if self.token is None else self.token.name

    def act(self, do: Callable[[StoredExperiment], Any]) -> None:
        """Change the experiment, in the visitor's name."""
        self.kept.use(self.name, lambda exp: do(exp.signed(self.who)))

    def text(self, name: str, otherwise: str = "", *, longest: int = 200) -> str:
        """Return a word of the query."""
        return self.request.query_params.get(name, otherwise)[:longest]

    def chosen(self, name: str, known: tuple[str, ...], otherwise: str) -> str:
        """Return a word of the query that is one of those known; else the usual one."""
        found = self.text(name, otherwise)
        return found if found in known else otherwise

    def number(self, name: str, otherwise: int = 1, least: int = 1) -> int:
        """Return a number of the query; what is none is the usual one."""
        found = self.text(name)
        is_one = found.isascii() and found.isdigit() and len(found) <= 18
        return max(int(found), least) if is_one else otherwise


class Page(NamedTuple):
    """A page as it is declared: where it is, who may see it, and what makes it."""

    method: str
    path: str
    scope: Needed
    show: Callable[[Visit], Response]
    pool: PoolName | None = None
    """where it is made, if that takes long"""


def read_form(raw: bytes, request: Request) -> dict[str, str]:
    """The fields of a form, each at most once."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/x-www-form-urlencoded":
        raise Refusal(INVALID, "A form must be sent as application/x-www-form-urlencoded.")
    try:
        pairs = parse_qsl(
            raw.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise Refusal(INVALID, "The form cannot be read.") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Refusal(INVALID, "The form has a field twice.")
    return fields
