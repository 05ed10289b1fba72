"""Random verbs on stored experiments; their journals, documents, and the commands about them."""

import json
import random
from functools import partial
from pathlib import Path

from corpus_cases.case import Case, Outcome
from corpus_cases.command_line import command, file_text
from corpus_cases.library import call_method, find_name, ga
from corpus_cases.process import START, clock

CALLS = 70
REWARDS = {"bernoulli": (0, 1, 1), "bounded": (0.0, 0.3, 0.7, 1.0), "gaussian": (-2.0, 0.1, 2.5)}


def settings():
    """Return problems, algorithms and reward timeouts of the experiments, by name."""
    problem = partial(ga.Problem, allow_large_delta=True)
    hour = {"seconds": 3600}
    return {
        "coins": (problem(["a", "b", "c"], threshold=0.5, delta=0.9), None, None),
        "sure": (problem(["a", "b"], threshold=0.5, delta=0.05), None, None),
        "joining": (problem(["a"], threshold=0.5, delta=0.9, arms_planned=4), None, None),
        "joining-cases": (
            problem(["a"], threshold=0.5, delta=0.9, pool=9, arms_planned=3),
            None,
            None,
        ),
        "until": (problem(2, threshold=0.5, delta=0.9, until=1, max_pulls=60), None, None),
        "capped": (problem(3, threshold=0.5, delta=0.05, max_pulls=25), None, None),
        "ratings": (problem(3, threshold=0.5, delta=0.9, rewards="bounded"), None, None),
        "normal": (problem(3, threshold=0.0, delta=0.9, rewards="gaussian", sigma=1.0), None, None),
        "kelly": (problem(3, threshold=0.5, delta=0.9, rewards="bounded"), "cho2025", None),
        "hdoc": (problem(4, threshold=0.5, delta=0.9, margin=0.1), "hdoc", None),
        "lil": (problem(2, threshold=0.5, delta=0.3), "lil-hdoc", None),
        "lucb": (problem(4, threshold=0.5, delta=0.9), "lucb-g", None),
        "cases": (problem(3, threshold=0.5, delta=0.9, pool=12), None, None),
        "own-cases": (
            problem(2, threshold=0.5, delta=0.9, pool=[5, 30], case_order="own"),
            None,
            None,
        ),
        "scores": (problem(2, threshold=0.5, delta=0.9, rewards="bounded", pool=12), None, None),
        "hint": (problem(["x", "y"], threshold=0.5, delta=0.9, gap=0.2), None, None),
        "reward-late": (
            problem(["a", "b"], threshold=0.5, delta=0.9),
            None,
            ga.Silence("reward", otherwise=0, **hour),
        ),
        "lost": (problem(["a", "b"], threshold=0.5, delta=0.9), None, ga.Silence("lost", **hour)),
        "lost-independent": (
            problem(["a", "b"], threshold=0.5, delta=0.9),
            None,
            ga.Silence("lost", is_independent=True, **hour),
        ),
        "plus": (problem(3, threshold=0.5, delta=0.9), "kl-moss+betting", None),
    }


def create(store, name, problem, algorithm=None, silence=None, seed=7, **more):
    """Create an experiment in a store."""
    if silence is not None:
        more["silence"] = silence
    return call_method(store, "experiment", name, problem, algorithm=algorithm, seed=seed, **more)


class History:
    """Random calls of verbs on an experiment, each with its answer."""

    def __init__(self, exp, seed):
        self.exp, self.luck, self.lines, self.pulls = exp, random.Random(seed), [], []

    def play(self, count):
        """Make calls; some of them are refused."""
        often = ("ask", "ask", "ask", "ask", "tell", "tell", "tell", "tell", "tell", "tell")
        seldom = (
            "forget",
            "observe",
            "wait",
            "pause",
            "resume",
            "take_out",
            "note",
            "add",
            "again",
        )
        for _ in range(count):
            verb = self.luck.choice(often + seldom)
            clock.wait(self.luck.choice((0.0, 0.5, 20.0)))
            try:
                answer = getattr(self, f"_{verb}")()
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"
            self.lines.append(f"{verb}: {answer}")
        return self

    def _some(self, most=6):
        if not self.pulls:
            return []
        return self.luck.sample(self.pulls, min(len(self.pulls), self.luck.randint(1, most)))

    def _rewards(self, count):
        return [self.luck.choice(REWARDS[self.exp.problem.rewards]) for _ in range(count)]

    def _arm(self):
        return self.luck.choice([*self.exp.problem.arms, "none"])

    def _ask(self):
        count = self.luck.randint(1, 12)
        worker, lease = self.luck.choice((None, None, "ann", "bob")), self.luck.choice((None, 50.0))
        pulls = self.exp.ask_many(count, worker=worker, lease=lease)
        self.pulls += [pull for pull in pulls if pull not in self.pulls]
        return pulls

    def _tell(self):
        pulls = self._some()
        rewards = self._rewards(len(pulls))
        self.exp.tell_many(pulls, rewards)
        self.pulls = [pull for pull in self.pulls if pull not in pulls or self.luck.random() < 0.1]
        return f"{pulls} {rewards}"

    def _forget(self):
        pulls, is_independent = self._some(1), self.luck.random() < 0.5
        for pull in pulls:
            self.exp.forget(pull, loss_is_independent=is_independent)
        return f"{pulls} {is_independent}"

    def _observe(self):
        arm, rewards = self._arm(), self._rewards(self.luck.randint(1, 5))
        call_method(self.exp, "observe_many", arm, rewards)
        return f"{arm!r} {rewards}"

    def _wait(self):
        clock.wait(self.luck.choice((10.0, 100.0, 4000.0)))
        return self.exp.status

    def _pause(self):
        return self.exp.pause()

    def _resume(self):
        return self.exp.resume()

    def _take_out(self):
        arm = self._arm()
        return arm, call_method(
            self.exp, "take_out", arm
        ) if self.luck.random() < 0.2 else "not now"

    def _note(self):
        text = self.luck.choice(("The camera was moved.", "Ünicode\nand lines", "", "x" * 2500))
        return self.exp.note(text, arm=self.luck.choice((None, self._arm())))

    def _add(self):
        arm = self.luck.choice(("late", "later", "a", 7))
        self.exp.add_arm(arm)
        return arm

    def _again(self):
        key = self.luck.choice(("k1", "k2"))
        return self.exp.ask_many(self.luck.randint(1, 2), key=key)


def cases():
    """Yield histories in memory and in SQLite, and the commands about them."""
    url = "sqlite:///histories.db"
    for number, (name, (problem, algorithm, silence)) in enumerate(settings().items()):
        yield _history(name, "memory:", problem, algorithm, silence, seed=100 + number)
        yield _history(name, url, problem, algorithm, silence, seed=200 + number)
        for how in ("", "--json", "--csv"):
            yield command(f"histories/show/{name}{how}", f"show {url} {name} {how}", at=START + 9e5)
        yield command(f"histories/verify/{name}", f"verify {url} {name} --json")
        file = f"{name}-journal.jsonl"
        yield command(f"histories/export/{name}", f"export {url} {name} {file}", files=[file])
        yield command(f"histories/import/{name}", f"import sqlite:///imported.db {file}")
        yield _document(name, problem, algorithm, seed=300 + number)
    later = START + 9e5
    for how in ("", "--json"):
        yield command(f"histories/list{how}", f"experiments {url} {how}", at=later)
        yield command(f"histories/verify-all{how}", f"verify {url} {how}")
        yield command(
            f"histories/list-imported{how}", f"experiments sqlite:///imported.db {how}", at=later
        )
    yield command("histories/list-narrow", f"experiments {url}", width=60, at=later)
    yield from _commands(url)
    yield from _changed_journals()


def _commands(url):
    for width in (30, 60, 100):
        yield command(f"histories/show-{width}", f"show {url} coins", width=width, at=START + 50)
    for more in (
        "--only bad",
        "--sort mean",
        "--all",
        "--only some",
        "--sort some",
        "--every 3",
        "--arm x",
    ):
        yield command(
            f"histories/show-option/{more.strip('-').replace(' ', '-')}", f"show {url} sure {more}"
        )
    yield command(
        "histories/picture", f"show {url} sure --plot sure.svg", files=["sure.svg"], at=START + 9e5
    )
    yield command(
        "histories/history-picture",
        f"show {url} sure --history h.svg",
        files=["h.svg"],
        at=START + 9e5,
    )
    for call in (
        *(
            f"show {url} none",
            f"show {url} 'a b'",
            f"verify {url} none",
            f"export {url} none x.jsonl",
        ),
        *(
            f"verify {url} coins --head 00",
            f"verify {url} coins --head xyz",
            f"verify {url} --head 00",
        ),
        *(f"import {url} coins-journal.jsonl", f"import {url} coins-journal.jsonl --name 'a b'"),
        *(f"import {url} coins-journal.jsonl --name copied", f"show {url} copied --json"),
        *(f"verify {url} copied --json", f"upgrade {url}", f"import {url} none.jsonl"),
    ):
        name = call.replace(url, "URL").replace(" ", "-").replace("'", "")
        yield command(f"histories/other/{name}", call, at=START + 9e5)


def _history(name, url, problem, algorithm, silence, seed):
    kind = url.split(":")[0]

    def run():
        clock.set()
        store = find_name("open_store")(url)
        with store:
            exp = create(store, name, problem, algorithm, silence)
            history = History(exp, seed).play(CALLS)
            text = "--- calls\n" + "\n".join(history.lines) + "\n"
            text += f"--- text\n{exp!r}\n{exp.verdict!r}\n{call_method(exp, 'reports')}\n"
            text += f"out: {exp.out}\nwaiting: {exp.waiting}\nhead: {exp.head}\n"
            text += f"checked: {_checked(exp)}\n"
            reports = [each.to_dict() for each in call_method(exp, "reports")]
            text += f"--- reports\n{json.dumps(reports, indent=1)}\n"
            text += f"--- history\n{_histories(exp)}\n"
            journal = f"{kind}-{name}.jsonl"
            store.export(name, journal)
            text += file_text(journal)
        return Outcome(text)

    return Case(f"histories/{kind}/{name}", f">>> random verbs, seed {seed}, on {problem!r}", run)


def _checked(exp):
    try:
        return exp.verify()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _histories(exp):
    return "\n".join(map(repr, exp.history(points=5)))


def _document(name, problem, algorithm, seed):
    """Return the case of an identifier in memory: calls, and its document."""

    def run():
        clock.set()
        luck = random.Random(seed)
        ident = ga.Identifier(problem, algorithm, seed=seed)
        for _ in range(12):
            if ident.is_done:
                break
            pulls = ident.ask_many(luck.randint(1, 5))
            told = [pull for pull in pulls if luck.random() < 0.9]
            ident.tell_many(told, [luck.choice(REWARDS[problem.rewards]) for _ in told])
        text = f"--- text\n{ident!r}\n{ident.verdict!r}\n{call_method(ident, 'reports')}\n"
        text += f"{call_method(ident, 'reports')._repr_html_()}\n"
        text += f"--- document\n{json.dumps(ident.to_dict())}\n"
        again = find_name("Identifier").from_dict(ident.to_dict())
        text += f"--- again\n{again!r}\n"
        return Outcome(text)

    return Case(f"histories/identifier/{name}", f">>> ask and tell, seed {seed}", run)


def _changed_journals():
    """Yield imports of journals that were edited: all are refused."""
    lines = Path("coins-journal.jsonl").read_text().splitlines()
    told = next(k for k, line in enumerate(lines) if '"told"' in line)
    asked = next(k for k, line in enumerate(lines) if '"asked"' in line)
    changes = {
        "empty": [],
        "no-start": lines[1:],
        "entry-missing": lines[:3] + lines[4:],
        "swapped": [*lines[:2], lines[3], lines[2], *lines[4:]],
        "reward": [*lines[:told], _edited(lines[told], rewards=9), *lines[told + 1 :]],
        "arm": [*lines[:asked], _edited(lines[asked], arms=[99]), *lines[asked + 1 :]],
        "kind": [*lines[:asked], lines[asked].replace('"asked"', '"begged"'), *lines[asked + 1 :]],
        "threshold": [lines[0].replace('"threshold": 0.5', '"threshold": 0.4'), *lines[1:]],
        "format": [lines[0].replace('"format": 1', '"format": 2'), *lines[1:]],
        "cut-off": [*lines[:-1], lines[-1][:30]],
        "no-json": ["hello"],
        "unhashed": [_edited(line, hash=None) for line in lines],
    }
    for name, edited in changes.items():
        file = f"edited-{name}.jsonl"
        Path(file).write_text("".join(f"{line}\n" for line in edited))
        yield command(f"histories/edited/{name}", f"import sqlite:///edited-{name}.db {file}")


def _edited(line, **changes):
    document = json.loads(line)
    for name, value in changes.items():
        if name == "hash":
            document.pop("hash", None)
        elif name in document.get("entry", {}):
            document["entry"][name] = value
    return json.dumps(document)
