"""Responses from templates; the only place that writes the pages' headers.

No script or style is inline, and nothing is loaded from elsewhere. Only the report contains its
style, and its policy allows that by its hash.
"""

import base64
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import Response

from goodarm.service.pages.picture import place_interval
from goodarm.views.arms import HEADER
from goodarm.views.names import printable, visible
from goodarm.views.numbers import format_count, format_money, format_number, plural
from goodarm.views.times import format_future, format_iso, format_past, format_span

if TYPE_CHECKING:
    from goodarm.service.pages.request_context import Visit

_PACKAGE: Final = "goodarm.service.pages"
HTML: Final = "text/html; charset=utf-8"
STATIC: Final = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}


@lru_cache
def make_environment() -> Environment:
    """Return the environment of the templates."""
    made = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": format_count,
        "number": format_number,
        "money": format_money,
        "bar": place_interval,
        "arm": printable,
        "visible": visible,
        "ago": format_past,
        "ahead": format_future,
        "span": format_span,
        "iso": format_iso,
        "plural": plural,
        "utc": format_utc,
        "percent": format_percent,
        "lines": escape_lines,
    }
    made.globals["NEEDED"], made.globals["NEEDED_90"] = HEADER[-2:]
    made.globals["versions"] = {name: _hash_file(name) for name in STATIC}
    return made


def format_utc(at: float) -> str:
    """Format a time in UTC, for readers in any time zone.

    >>> format_utc(0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def format_percent(part: float) -> str:
    """Format a position or a width as a percentage for SVG.

    >>> format_percent(0.25), format_percent(1 / 3)
    ('25%', '33.33%')
    """
    return f"{100 * part:.4g}%"


def escape_lines(text: str) -> str:
    r"""Return a text of several lines, with invisible characters written out.

    >>> escape_lines("one\r\ntwo\a")
    'one\ntwo\\x07'
    """
    return "\n".join(map(visible, text.splitlines()))


@lru_cache
def read_static_file(name: str) -> bytes:
    """Read a static file of the pages."""
    return (files(_PACKAGE) / "static" / name).read_bytes()


def _hash_file(name: str) -> str:
    return hashlib.sha256(read_static_file(name)).hexdigest()[:12]


def hash_style(text: str) -> str:
    """Return the hash by which a policy allows an inline style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def make_headers(style: str = "'self'") -> dict[str, str]:
    """Return the headers of all pages, the content security policy first."""
    policy = (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src {style}",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "Referrer-Policy": "same-origin",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cache-Control": "no-store",
        "Vary": "Cookie",
    }


def render_text(visit: "Visit", template: str, **shown: Any) -> str:
    """Render a template as text."""
    return make_environment().get_template(template).render(visit=visit, **shown)


def render_page(
    visit: "Visit",
    template: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **shown: Any,
) -> Response:
    """Render a template as a response."""
    text = render_text(visit, template, **shown)
    return Response(text, status, {**make_headers(), **(headers or {})}, HTML)


def redirect(address: str) -> Response:
    """Return a redirect that the browser follows by a GET."""
    return Response(status_code=303, headers={**make_headers(), "Location": address})
