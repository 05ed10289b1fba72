"""A view is of one moment: the state is read once, new entries once, tokens once."""

from collections import Counter

import pytest
from sqlalchemy import event

import goodarm as ga
from service.pages.site import run, site_of


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A site, an experiment of its store, and how often the store was read since it was asked."""
    reads = Counter()
    with ga.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        secret, _ = store.tokens.create("ann", "admin")
        problem = ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05)
        exp = run(store.experiment("banners", problem, seed=1), 60, keep=3)
        recorder = store._recorder
        for kind, name in ((type(recorder), "read"), (type(recorder.tokens), "all")):
            really = getattr(kind, name)

            def count(self, *given, _really=really, _name=name, **options):
                reads[_name] += 1
                return _really(self, *given, **options)

            monkeypatch.setattr(kind, name, count)
        with site_of(store) as site:
            site.log_in(secret)

            def view(path):
                reads.clear()
                assert site.get(path).status_code == 200
                return dict(reads)

            yield exp, view


PAGES = ["/experiments/banners", "/experiments/banners?part=1", "/experiments/banners/report"]


@pytest.mark.parametrize("path", PAGES)
def test_what_has_not_changed_is_read_once(counted, path):
    _, view = counted
    view(path)
    assert view(path) == {"read": 1, "all": 1}


@pytest.mark.parametrize("path", [PAGES[0], PAGES[2]])  # a part may be of a moment ago
def test_new_entries_are_read_for_the_state_and_for_the_journal(counted, path):
    exp, view = counted
    view(path)
    exp.note("look here")
    assert view(path) == {"read": 2, "all": 1}
    assert view(path) == {"read": 1, "all": 1}


JOURNAL = "/experiments/banners/journal"


@pytest.mark.parametrize("path", [PAGES[0], PAGES[2], JOURNAL])
def test_a_view_is_one_read_transaction_and_one_look_up_of_tokens(tmp_path, path, monkeypatch):
    """Also the first one, for which the experiment is opened."""
    address = f"sqlite:///{tmp_path}/store.db"
    with ga.open_store(address) as writer, ga.open_store(address) as store:
        secret, _ = writer.tokens.create("ann", "admin")
        problem = ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05)
        exp = run(writer.experiment("banners", problem, seed=1), 60, keep=3)
        begun, looked_up, is_token = [], [], []
        event.listen(
            store._recorder.database.reader, "begin", lambda _: begun.append(bool(is_token))
        )
        rows = type(store._recorder.tokens)
        for name in ("all", "find"):
            really = getattr(rows, name)

            def count(self, *given, _really=really):
                looked_up.append(given)
                is_token.append(True)
                try:
                    return _really(self, *given)
                finally:
                    is_token.pop()

            monkeypatch.setattr(rows, name, count)
        with site_of(store) as site:
            site.log_in(secret)
            for _ in ("first view", "changed view"):
                begun.clear()
                looked_up.clear()
                assert site.get(path).status_code == 200
                assert begun.count(False) == 1
                assert begun.count(True) == len(looked_up) == 1
                exp.note("look here")
            assert "look here" in site.get(path).text or path == PAGES[2]


def test_a_page_of_tokens_looks_them_up_once(counted):
    _, view = counted
    assert view("/tokens") == {"all": 1}


def test_a_list_reads_no_journal_twice(counted):
    exp, view = counted
    view("/")
    assert view("/") == {"all": 1}
    exp.note("look here")
    assert view("/") == {"read": 1, "all": 1}


def test_all_of_a_view_is_of_one_moment(tmp_path):
    """Labels, notes and hash stop at the entry of the table, though others have looked since."""
    with ga.open_store(f"sqlite:///{tmp_path}/store.db") as store:
        exp = run(
            store.experiment("one", ga.Problem(["a", "b"], threshold=0.5, delta=0.05), seed=1), 60
        )
        exp.note("first")
        with site_of(store) as site:
            snapshots = site.app.state.pages.snapshots
            before = snapshots.get("one")
            assert not before.has_journal
            exp.note("second")
            after = snapshots.get("one", has_journal=True)
            assert [note.text for note in after.notes] == ["second", "first"]
            snapshots._cached["one"] = snapshots._cached["one"]._replace(snapshot=before, cost=1e9)
            snapshot = snapshots.get("one", is_watched=True, has_journal=True)
    assert [note.text for note in snapshot.notes] == ["first"]
    assert snapshot.entries == before.entries
    assert snapshot.head != after.head
    decisions = [each.label for each in snapshot.decisions]
    assert len(decisions) == len(before.verdict.good) + len(before.verdict.bad)
