"""Experiments of a service, over HTTP, with the names, values and errors of a store's.

========== ===========================================================================
client     a service: experiments by name, as in a store
experiment one of them: asks and tells as a stored experiment does
place      where it is: its paths, its document, and whether it is still there
calls      requests, made again until they are answered or patience ends
retrying   what may be made again, and after which pause: pure functions
problems   from a service's problem to the library's error
keys       under which a change counts once
documents  values as JSON and back
address    where a service is, and the token for it
========== ===========================================================================

httpx is loaded with the first client, and not before.
"""

from goodarm.client.address import is_service
from goodarm.client.client import Client
from goodarm.client.experiment import RemoteExperiment

__all__ = [
    "Client",
    "RemoteExperiment",
    "is_service",
]
