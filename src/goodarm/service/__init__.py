"""HTTP service for a store: the API, and OFREP for feature flags.

============ ===========================================================================
settings     limits, with their defaults
app          the application; ``create_app(store)``
serving      the process: the address it listens on, and its shutdown
calls        route declarations, and the request object that a route gets
experiments  create, list, show, delete
pulls        ask, tell, forget
verb_routes  routes of all other verbs, made from the table of verbs
arms         numbers, labels, histories
journal      read in pages, download, verify
ofrep        experiments as feature flags
health       health checks and metrics
access       tokens, scopes and rate limits
limits       middleware: metrics, access log, limits and timeouts
problems     errors as problem+json
openapi      the OpenAPI document
============ ===========================================================================

The store is synchronous: requests run in threads, which share its commits.
"""

from goodarm.service.app import create_app
from goodarm.service.settings import Settings

__all__ = ["Settings", "create_app"]
