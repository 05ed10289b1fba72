"""Pages to watch experiments: rendered on the server, useful without script.

===================== ==================================================================
routes                routes of all pages
auth                  authentication, and pages for refused requests
login                 login with a token, and logout
sessions              signed cookies, and the keys of forms
origins               protection against requests from other sites
request_context       one request: the visitor, their permissions, and addresses
site_state            sessions, snapshots and watchers that all pages share
html_responses        responses from templates; only this module writes headers
snapshots             snapshots of experiments
picture               intervals as positions on an axis
pagination            pages of long lists
experiment_list       page: all experiments
overview              page: one experiment
arms                  page: one arm
journal               page: the journal in words
report                page: a report to send
new_experiment        page: the form for a new experiment
new_experiment_fields fields of that form; plan_preview: its plan
actions               pages: changes, each with a confirmation
verb_forms            pages: forms of other verbs, made from the table of verbs
tokens                pages: the list of tokens, and their revocation
downloads             files to download
event_stream          server-sent events; watchers: the browsers that get them
wording               wording of errors
===================== ==================================================================
"""

from goodarm.service.pages.routes import (
    add_pages,
    list_pages,
    redirect_bare_prefix,
    render_outside_refusal,
    wants_page,
)
from goodarm.service.pages.site_state import SiteState

__all__ = [
    "SiteState",
    "add_pages",
    "list_pages",
    "redirect_bare_prefix",
    "render_outside_refusal",
    "wants_page",
]
