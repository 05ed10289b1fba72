"""A store over HTTP: the API, and OFREP for feature flags.

============ ===========================================================================
settings     limits, with their defaults
app          the application; ``create_app(store)``
serving      the process: where it listens, and how it ends
calls        declaring routes, and what each of them gets
experiments  create, list, show, delete
pulls        ask, tell, forget
verb_routes  routes of all other verbs, made from the table of verbs
arms         numbers, labels, histories
journal      pages of it, the whole of it, and whether it is true
ofrep        experiments as feature flags
health       whether it is there, and what it has done
access       tokens, scopes, and how often they come
limits       what is refused before it is read
problems     what went wrong, as problem+json
openapi      the document
============ ===========================================================================

The store stays synchronous: requests are worked on in threads, which share its commits.
"""

from goodarm.service.app import create_app
from goodarm.service.settings import Settings

__all__ = ["Settings", "create_app"]
