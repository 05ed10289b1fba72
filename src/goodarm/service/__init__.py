"""HTTP service for a store: the API, and OFREP for feature flags.

================ =======================================================================
settings         limits, with their defaults
app              the application; ``create_app(store)``
server           the process: the address it listens on, and its shutdown
routing          route declarations, and the request object that a route gets
experiments      routes: create, list, show, delete
pulls            routes: ask, tell, forget
verb_routes      routes of all other verbs, made from the table of verbs
arms             routes: numbers, labels, histories
journal          routes: read in pages, download, verify
ofrep            routes: experiments as feature flags; ofrep_errors: its errors
health           routes: health checks and metrics
open_experiments cache of open experiments, and consistent reads of them
request_bodies   size limits and strict parsing; request_models: the bodies' models
validation       errors in bodies, as errors of the library
response_models  models of answers; responses: JSON with ETags
access           tokens and scopes; rate_limit: requests a second for each token
middleware       metrics, access log, limits and timeouts
capacity         limits on the requests under way, for each kind of caller
thread_pools     threads for long reads and for unknown callers
problems         errors as problem+json; json_wording: their words
openapi          the OpenAPI document
metrics          Prometheus metrics
demo             three experiments that run by themselves
pages            web pages to watch experiments
================ =======================================================================

The store is synchronous: requests run in threads, which share its commits.
"""

from goodarm.service.app import create_app
from goodarm.service.settings import Settings

__all__ = ["Settings", "create_app"]
