"""Request keys, with which a change counts once however often it is sent."""

import secrets
from typing import Final

from goodarm.errors import invalid_argument

_KEY_LENGTH: Final = 200


def draw_key() -> str:
    """Draw a new, unique key."""
    return f"client-{secrets.token_hex(12)}"


def check_key(key: object, owner: str) -> str:
    """Return a request key; raise an error unless it can be sent in a header as it is."""
    if isinstance(key, str) and 1 <= len(key) <= _KEY_LENGTH:
        is_plain = key.isascii() and key.isprintable()
        if is_plain and key.strip() == key:
            return key
    rule = f"be 1 to {_KEY_LENGTH} printable characters of ASCII, no space at either end"
    raise invalid_argument("key", owner, rule, key)
