"""The pages of an app in this process, looked at as a browser would."""

import random
import re
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlencode

import goodarm as ga
from goodarm.service import Settings, create_app
from service.in_process import client_of

HOST = "http://127.0.0.1:8642"
ANSWERS = {"bernoulli": lambda mean, rng: float(rng.random() < mean)}


class Tags(HTMLParser):
    """The tags of a page, and the text of cells by their names."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self._open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def all(self, tag, **wanted):
        return [
            each
            for name, each in self.tags
            if name == tag and all(each.get(key) == value for key, value in wanted.items())
        ]


class Site:
    """A browser without script: it keeps cookies, and sends forms with their key."""

    def __init__(self, app, store, client):
        self.app, self.store, self.client = app, store, client

    def get(self, path, **options):
        return self.client.get(path, **options)

    def page(self, path, status=200):
        """The tags of a page that must be there."""
        found = self.get(path)
        assert found.status_code == status, (found.status_code, found.text[:2000])
        return Tags(found.text)

    def fields(self, path):
        """What the form of a page would send."""
        found = self.page(path)
        return {each["name"]: each.get("value", "") for each in found.all("input", type="hidden")}

    def send(self, path, fields=None, *, form=None, headers=None):
        """Send the form of a page."""
        body = {**self.fields(path if form is None else form), **(fields or {})}
        return self.post(path, body, headers)

    def post(self, path, body, headers=None):
        usual = {"Content-Type": "application/x-www-form-urlencoded", "Origin": str(HOST)}
        return self.client.post(path, content=urlencode(body), headers={**usual, **(headers or {})})

    def log_in(self, secret):
        return self.send("/login", {"token": secret})


@contextmanager
def site_of(store=None, host=HOST, **settings):
    """The pages of a store, in memory unless given."""
    store = ga.open_store("memory:") if store is None else store
    app = create_app(store, Settings(**settings))
    with client_of(app, base_url=host) as client:
        yield Site(app, store, client)


def run(exp, pulls, seed=0, keep=0):
    """Make so many pulls with rewards that suit the problem; the last few stay out."""
    rng, problem = random.Random(seed), exp.problem
    spots = {str(arm): rng.random() for arm in problem.arms}

    def reward(pull):
        spot = spots[str(pull.arm)]
        if problem.rewards == "bernoulli":
            return float(rng.random() < spot)
        if problem.rewards == "bounded":
            return problem.low + (problem.high - problem.low) * min(max(rng.gauss(spot, 0.1), 0), 1)
        return rng.gauss(2 * spot - 1, problem.sigma)

    made = 0
    while made < pulls and not exp.is_done:
        asked = exp.ask_many(min(10, pulls - made))
        if not asked:
            break
        made += len(asked)
        out = keep if made >= pulls else 0
        told = asked[: len(asked) - out]
        exp.tell_many(told, [reward(pull) for pull in told])
    return exp


def cells(text, row):
    """The numbers of one arm, by the names of their columns."""
    found = re.search(rf'<tr id="{row}">(.*?)</tr>', text, re.DOTALL).group(1)
    pairs = re.findall(r'data-cell="([^"]+)">([^<]*)<', found)
    return {name: unescape(text) for name, text in pairs}
