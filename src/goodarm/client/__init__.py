"""Client: experiments of a service over HTTP, with the names, values and errors of a store.

=================== ====================================================================
client              a service: experiments by name, as in a store
experiment          an experiment: asks and tells as a stored experiment does
experiment_resource its paths, its document, and whether it still exists
connection          requests, repeated until they are answered or patience ends
retry_policy        what may be repeated, and after which pause: pure functions
problem_documents   conversion of a service's problem to the library's error
keys                request keys, with which a change counts once
documents           values as JSON and back
address             address of a service, and the token for it
=================== ====================================================================

httpx is imported with the first client, not before.
"""

from goodarm.client.address import is_service
from goodarm.client.client import Client
from goodarm.client.experiment import RemoteExperiment

__all__ = [
    "Client",
    "RemoteExperiment",
    "is_service",
]
