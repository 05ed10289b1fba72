"""``goodarm token``: access tokens of a store's service."""

from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.stores import StoreUrl, open_existing_store
from goodarm.cli.usage import Command
from goodarm.views.text import TableLayout
from goodarm.views.times import format_future, format_iso, format_past

if TYPE_CHECKING:
    from goodarm.store import Token

app = typer.Typer(
    help="Create, list and revoke access tokens of a service.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

_HEADER = ("id", "name", "scope", "experiments", "created", "expires", "last use", "state")


@app.command("create", cls=Command)
def create_token(
    url: StoreUrl,
    name: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="Who uses the token, for the list of tokens."),
    ],
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="read: look only. run: also ask and tell. admin: also create and delete.",
        ),
    ] = "run",
    pattern: Annotated[
        str,
        typer.Option(
            "--pattern",
            metavar="PATTERN",
            help="Experiments that the token is for, such as 'team-*'.",
        ),
    ] = "*",
    days: Annotated[
        float | None,
        typer.Option(
            "--days", metavar="DAYS", help="Days until the token expires; never if not given."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Create a token and print it. Only its hash is kept, so it is shown this once.

    The store must exist: goodarm serve creates it. To write the token to a file:
    goodarm token create sqlite:///goodarm.db --name ann > ann.token
    """
    with open_existing_store(url) as store:
        secret, token = store.tokens.create(
            name, scope, pattern=pattern, days=days, by=_find_user_name()
        )
    if as_json:
        print_json({"kind": "token", "format": 1, "token": secret, **token.to_dict()})
        return
    typer.echo(secret)
    end = "" if token.expires_at is None else f", until {format_iso(token.expires_at)}"
    say(f"Token {token.id} of {name}: {scope}, experiments {pattern}{end}.", err=True)
    say("It is shown only this once. Keep it where others cannot read it.", err=True)


@app.command("list", cls=Command)
def list_tokens(url: StoreUrl, as_json: AsJson = False) -> None:
    """List the tokens of a store, without the secret parts."""
    with open_existing_store(url) as store:
        tokens = store.tokens.list()
    if as_json:
        entries = [{**token.to_dict(), "state": _describe_state(token)} for token in tokens]
        print_json({"kind": "tokens", "format": 1, "tokens": entries})
    elif tokens:
        print_table("", _HEADER, [_format_cells(token) for token in tokens], TableLayout(left=4))
    else:
        say("The store has no tokens. Its service accepts requests from this machine only.")


@app.command("revoke", cls=Command)
def revoke_token(
    url: StoreUrl,
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The id in the list of tokens.")],
) -> None:
    """Revoke a token for good."""
    with open_existing_store(url) as store:
        store.tokens.revoke(token_id, by=_find_user_name())
    say(f"Token {token_id} is revoked.")


def _find_user_name() -> str | None:
    """Return the name of the user who runs the command, for the audit log; None if unknown."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None


def _describe_state(token: "Token") -> str:
    import time

    if token.revoked_at is not None:
        return "revoked"
    return "valid" if token.is_valid(time.time()) else "expired"


def _format_cells(token: "Token") -> tuple[str, ...]:
    return (
        token.id,
        token.name,
        token.scope,
        token.pattern,
        format_past(token.created_at),
        "never" if token.expires_at is None else format_future(token.expires_at),
        "never" if token.used_at is None else format_past(token.used_at),
        _describe_state(token),
    )
