"""``goodarm token``: a token is printed once, listed without its secret, and revoked."""

import json

import pytest

import goodarm as ga
from cli.sample_store import parse_rows


@pytest.fixture
def empty(tmp_path):
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    ga.open_store(url).close()
    return url


def create_token(invoke, url, *options):
    result = invoke(["token", "create", url, *options])
    assert result.exit_code == 0, result.stderr
    return result


def test_a_token_stands_alone_on_standard_output(invoke, empty):
    result = create_token(
        invoke, empty, "--name", "ann [bold]", "--pattern", "team-*", "--days", "3"
    )
    (secret,) = result.stdout.split()
    assert "Token" in result.stderr
    assert "ann [bold]: run, experiments team-*, until 20" in result.stderr.replace("\n", " ")
    assert secret not in result.stderr
    with ga.open_store(empty) as store:
        token = store.tokens.find(secret)
    assert (token.name, token.scope, token.pattern) == ("ann [bold]", "run", "team-*")


def test_the_list_shows_no_secret(invoke, empty):
    assert "has no tokens" in invoke(["token", "list", empty]).stdout
    secrets = [
        create_token(invoke, empty, "--name", name, "--scope", scope).stdout.strip()
        for name, scope in (("ann", "read"), ("bob", "admin"))
    ]
    listed = invoke(["token", "list", empty]).stdout
    header, *rows = parse_rows(listed)
    assert header[:4] == ["id", "name", "scope", "experiments"]
    assert [row[1:4] for row in rows] == [["ann", "read", "*"], ["bob", "admin", "*"]]
    document = invoke(["token", "list", empty, "--json"]).stdout
    assert not any(secret[3:] in text for secret in secrets for text in (listed, document))
    assert [each["state"] for each in json.loads(document)["tokens"]] == ["valid", "valid"]


def test_one_is_revoked_by_its_id(invoke, empty):
    made = json.loads(create_token(invoke, empty, "--name", "ann", "--json").stdout)
    result = invoke(["token", "revoke", empty, made["id"]])
    assert (result.exit_code, result.stdout) == (0, f"Token {made['id']} is revoked.\n")
    with ga.open_store(empty) as store:
        assert store.tokens.find(made["token"]) is None
    assert " revoked" in invoke(["token", "list", empty]).stdout
    again = invoke(["token", "revoke", empty, "none"])
    assert (again.exit_code, again.stderr) == (
        2,
        "goodarm: There is no token 'none'. Call 'goodarm token list' to see all tokens.\n",
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--name", "ann", "--scope", "all"],
            "--scope must be one of 'read', 'run', 'admin'",
        ),
        (["--name", ""], "--name must be 1 to 100 printable characters"),
        (["--name", "a", "--pattern", ""], "--pattern must be"),
        (["--name", "a", "--days", "-1"], "--days must be a number above 0"),
    ],
)
def test_what_it_cannot_be_is_said(invoke, empty, options, says):
    result = invoke(["token", "create", empty, *options])
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_mistyped_address_makes_no_store(invoke, tmp_path):
    url = f"sqlite:///{tmp_path / 'new.db'}"
    for words in (["list", url], ["revoke", url, "none"], ["create", url, "--name", "ann"]):
        assert invoke(["token", *words]).exit_code == 2
    assert list(tmp_path.iterdir()) == []
