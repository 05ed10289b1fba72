"""What schemathesis must be told: how JSON lines are written."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def write_lines(context, value):
    """One line for each item; what is no list, as a whole."""
    items = value if isinstance(value, list) else [value]
    return "".join(json.dumps(item) + "\n" for item in items).encode()
