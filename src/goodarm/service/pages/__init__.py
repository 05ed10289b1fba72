"""Pages to watch experiments: made on the server, useful without script.

========== =========================================================================
door       who comes in, and what is refused
sessions   signed cookies, and the keys of forms
origins    changes come from our own pages
visit      one request: who, what they may, where things are
rendering  templates to answers; the one place that writes headers
seen       experiments at one moment, by the library's own calls
picture    intervals as places on an axis
listing    the list
overview   one experiment
arms       one arm
journal    the journal in words
reporting  a verdict to send
creating   a form for a new experiment; fields: what it holds; planned: the plan
actions    changes that ask once
verb_forms forms of other verbs, made from the table of verbs
tokens     tokens, and how they end
downloads  files to take away
events     what has changed, as it happens; watchers: who is told
shared     what all of them share
rooms      all of them, joined to the app
========== =========================================================================
"""

from goodarm.service.pages.rooms import declared, join, refusal_for, to_first_page, wants_page
from goodarm.service.pages.shared import Shared

__all__ = ["Shared", "declared", "join", "refusal_for", "to_first_page", "wants_page"]
