"""Tokens: shown once, kept as a hash, over when they are revoked or expired."""

import pytest

import goodarm
from goodarm.errors import SpecError
from goodarm.store import Store
from goodarm.store.memory import MemoryRecorder
from goodarm.testing import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_again(request, clock, opener):
    if request.param == "memory":
        recorder = MemoryRecorder()
        return lambda: Store(recorder, clock).tokens
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: Store(opener(url), clock).tokens


def test_one_is_known_by_its_secret(open_again):
    secret, token = open_again().create("ann's worker", "run", pattern="team-*")
    assert secret.startswith("ga_")
    assert len(secret) == 46
    assert open_again().find(secret) == token
    assert (token.has_scope("read"), token.has_scope("run"), token.has_scope("admin")) == (
        True,
        True,
        False,
    )
    assert (token.can_see("team-1"), token.can_see("other")) == (True, False)
    for wrong in (secret[:-1], secret + "a", secret.upper(), "", "ga_", secret[3:], "ga_é"):
        assert open_again().find(wrong) is None


def test_its_secret_is_kept_nowhere(sqlite_url, opener, tmp_path):
    secret, _ = Store(opener(sqlite_url)).tokens.create("ann", "admin")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret[3:].encode() not in kept


def test_two_have_nothing_in_common(open_again):
    tokens = open_again()
    made = [tokens.create(f"ann {k}", "read") for k in range(20)]
    assert len({secret for secret, _ in made}) == len({token.id for _, token in made}) == 20


def test_it_ends_when_it_is_revoked(open_again, clock):
    tokens = open_again()
    secret, token = tokens.create("ann", "run")
    other, _ = tokens.create("bob", "run")
    clock.now += 5
    open_again().revoke(token.id)
    assert tokens.find(secret) is None
    assert tokens.find(other) is not None
    clock.now += 5
    tokens.revoke(token.id)
    tokens.record_use(token)  # a use that was under way does not bring it back
    assert tokens.find(secret) is None
    assert [each.revoked_at for each in tokens.list()] == [1005.0, None]
    with pytest.raises(SpecError, match="There is no token 'none'"):
        tokens.revoke("none")


def test_it_ends_when_its_time_is_over(open_again, clock):
    tokens = open_again()
    secret, token = tokens.create("ann", "run", days=0.5)
    assert token.expires_at == 1000 + 43200
    clock.now = token.expires_at - 1
    assert tokens.find(secret) is not None
    clock.now = token.expires_at
    assert tokens.find(secret) is None


def test_its_last_use_is_noted_once_a_minute(open_again, clock):
    tokens = open_again()
    secret, token = tokens.create("ann", "run")
    tokens.record_use(token)
    assert tokens.find(secret).used_at == 1000.0
    clock.now += 59
    tokens.record_use(tokens.find(secret))
    assert tokens.find(secret).used_at == 1000.0
    clock.now += 1
    tokens.record_use(tokens.find(secret))
    assert tokens.find(secret).used_at == 1060.0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"name": ""}, "The 'name' of token must be 1 to 100 printable characters"),
        ({"name": "a\nb"}, "The 'name' of token"),
        ({"scope": "all"}, "The 'scope' of token must be one of"),
        ({"pattern": ""}, "The 'pattern' of token"),
        ({"days": 0}, "The 'days' of token must be a number above 0"),
        ({"days": float("nan")}, "The 'days' of token"),
    ],
)
def test_what_a_token_cannot_be(arguments, says):
    given = {"name": "ann", "scope": "run"} | arguments
    tokens = Store(MemoryRecorder()).tokens
    with pytest.raises(SpecError, match=says):
        tokens.create(given.pop("name"), given.pop("scope"), **given)
    assert tokens.list() == []


def test_valid_tokens_have_different_names():
    tokens = goodarm.open_store("memory:").tokens
    _, first = tokens.create("ann", "run")
    with pytest.raises(SpecError, match="'name' of token must not be that of a valid token"):
        tokens.create("ann", "read")
    with pytest.raises(SpecError, match=f"Give the ID of the token of that name: {first.id}."):
        tokens.revoke("ann")
    tokens.revoke(first.id)
    assert tokens.create("ann", "read")[1].scope == "read"
