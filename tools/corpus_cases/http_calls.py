"""Requests to a service in this process, and what it answers."""

import json
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from corpus_cases.case import Case, Outcome, slug_of
from corpus_cases.library import find_name, service_parts
from corpus_cases.process import clock

sys.path.append(str(Path(__file__).parents[2] / "tests"))

from service.in_process import client_of

HOST = "http://127.0.0.1:8642"
API = "/api/v1/experiments"
_LEFT_OUT = ("content-length", "date")
_HIDDEN = re.compile(r'<input[^>]*type="hidden"[^>]*>')
_ATTRIBUTE = re.compile(r'(name|value)="([^"]*)"')


@contextmanager
def service_of(store=None, **settings):
    """Yield a store, in memory unless given, and a client of its service."""
    create_app, make_settings = service_parts()
    store = find_name("open_store")("memory:") if store is None else store
    app = create_app(store, make_settings(max_rate=1e9, **settings))
    with client_of(app, base_url=HOST) as client:
        yield store, client


def answer_text(response):
    """Return status, headers and body of an answer."""
    headers = sorted(
        f"{name.lower()}: {value}"
        for name, value in response.headers.multi_items()
        if name.lower() not in _LEFT_OUT
    )
    kind = response.headers.get("content-type", "")
    is_text = any(word in kind for word in ("text", "json", "svg", "javascript", "xml"))
    body = response.text if is_text else f"{len(response.content)} bytes"
    return "\n".join([f"status: {response.status_code}", *headers, "--- body", body, ""])


def request(group, client, method, path, body=None, name=None, headers=None, at=None):
    """Return the case of a request; a body that is no text is sent as JSON."""
    sent = {"Content-Type": "application/json"} if body is not None else {}
    content = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
    shown = "" if content is None else f" {content[:2000]!r}"
    more = f" {headers}" if headers else ""

    def run():
        clock.set() if at is None else clock.set(at)
        response = client.request(method, path, content=content, headers=sent | (headers or {}))
        return Outcome(answer_text(response), response.status_code >= 400)

    call = f"{method} {path}{more}{shown}"
    return Case(f"{group}/{name or slug_of(call, 90)}", call, run)


def hidden_fields(page):
    """Return the hidden fields of a page's forms: its keys."""
    found = {}
    for tag in _HIDDEN.findall(page):
        parts = dict(_ATTRIBUTE.findall(tag))
        found[parts["name"]] = parts.get("value", "")
    return found


def form(group, client, path, fields, name=None, page=None, headers=None):
    """Return the case of a form that is filled and sent from its page."""

    def run():
        clock.set()
        keys = hidden_fields(client.get(path if page is None else page).text)
        usual = {"Content-Type": "application/x-www-form-urlencoded", "Origin": HOST}
        content = urlencode({**keys, **fields})
        response = client.post(path, content=content, headers={**usual, **(headers or {})})
        return Outcome(answer_text(response), response.status_code >= 400)

    call = f"POST {path} {fields} {headers or ''}"
    return Case(f"{group}/{name or slug_of(call, 90)}", call, run)
