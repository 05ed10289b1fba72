"""Pages to watch experiments: rendered on the server, useful without script.

========== =========================================================================
door       authentication, and pages for refused requests
sessions   signed cookies, and the keys of forms
origins    protection against requests from other sites
visit      one request: the visitor, their permissions, and addresses
rendering  templates to responses; the only place that writes headers
seen       snapshots of experiments
picture    intervals as positions on an axis
listing    the list
overview   one experiment
arms       one arm
journal    the journal in words
reporting  a report to send
creating   a form for a new experiment; fields: its fields; planned: the plan
actions    changes, each with a confirmation
verb_forms forms of other verbs, made from the table of verbs
tokens     the list of tokens, and their revocation
downloads  files to download
events     server-sent events; watchers: the browsers that get them
shared     state that all pages share
rooms      routes of all pages
========== =========================================================================
"""

from goodarm.service.pages.rooms import declared, join, refusal_for, to_first_page, wants_page
from goodarm.service.pages.shared import Shared

__all__ = ["Shared", "declared", "join", "refusal_for", "to_first_page", "wants_page"]
