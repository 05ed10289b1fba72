"""Contract of stores: what was acknowledged is kept, once, even if requests are repeated."""

import pytest

from goodarm.errors import GoodArmError, ProtocolError, SpecError
from goodarm.live import Experiment, Identifier, RewardTimeout
from goodarm.problem import Problem
from goodarm.results import Pull, Verdict
from goodarm.testing.contracts.helpers import (
    COINS,
    HARD,
    OpenStore,
    list_kinds,
    list_rewards,
    make_rewards,
)


class DurabilityContract:
    """Tests of restarts, request keys, rewards and labels."""

    def test_it_is_an_experiment(self, open_store: OpenStore) -> None:
        """A function that takes any experiment works with an identifier and with a store's."""

        def label_all(experiment: Experiment) -> Verdict:
            while not experiment.is_done:
                pulls = experiment.ask_many(5)
                experiment.tell_many(pulls, make_rewards(pulls))
            return experiment.verdict

        exp = open_store().experiment("coins", COINS, seed=5)
        ident = Identifier(COINS, seed=5)
        assert isinstance(exp, Experiment)
        assert isinstance(ident, Experiment)
        assert label_all(exp) == label_all(ident)

    def test_it_is_an_identifier_that_survives(self, open_store: OpenStore) -> None:
        """A store opened anew for every request makes the same run as an identifier."""
        ident = Identifier(COINS, seed=5)
        open_store().experiment("coins", COINS, seed=5)
        while not ident.is_done:
            with open_store() as store:
                pulls = store.experiment("coins").ask_many(9)
            assert pulls == ident.ask_many(9)
            with open_store() as store:
                store.experiment("coins").tell_many(pulls, make_rewards(pulls))
            ident.tell_many(pulls, make_rewards(pulls))
        exp = open_store().experiment("coins")
        assert exp.is_done
        assert (exp.verdict, exp.pulls, exp.waiting) == (ident.verdict, ident.pulls, [])
        assert exp.table() == ident.table()
        assert exp.explain("a") == ident.explain("a")
        exp.verify()
        with pytest.raises(ProtocolError, match="the run is over"):
            exp.ask()

    def test_a_key_makes_any_request_safe_to_repeat(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        first = exp.ask_many(3, key="one")
        assert exp.ask_many(3, key="one") == first
        other = open_store().experiment("coins")
        assert other.ask_many(3, key="one") == first
        assert other.ask_many(3, key="two") != first
        other.tell(first[0], 1, key="three")
        exp.tell(first[0], 1, key="three")
        other.observe("a", [1, 1], key="four")
        exp.observe("a", [1, 1], key="four")
        other.forget(first[1], key="five")
        exp.forget(first[1], key="five")
        assert exp.pulls == other.pulls == 4
        assert len(exp.waiting) == 4
        assert list_kinds(exp.journal()) == ["asked", "asked", "told", "observed", "forgotten"]
        exp.verify()

    def test_another_request_under_the_same_key_is_refused(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        pulls = exp.ask_many(3, key="one")
        exp.tell(pulls[0], 1, key="two")
        exp.observe("a", [1, 1], key="three")
        other = open_store().experiment("coins")
        for request in (
            lambda: other.ask_many(2, key="one"),
            lambda: other.ask_many(3, "ann", key="one"),
            lambda: exp.tell(pulls[1], 1, key="two"),
            lambda: exp.tell(pulls[0], 0, key="two"),
            lambda: exp.forget(pulls[0], key="two"),
            lambda: other.observe("a", [1, 0], key="three"),
            lambda: other.observe("b", [1, 1], key="three"),
        ):
            with pytest.raises(ProtocolError, match="was used for another request"):
                request()
        assert len(exp.journal()) == 3

    def test_a_key_is_its_experiments_own(self, open_store: OpenStore) -> None:
        store = open_store()
        store.experiment("coins", COINS).ask_many(3, key="one")
        assert len(store.experiment("others", COINS).ask_many(2, key="one")) == 2

    def test_a_key_repeats_the_answer_that_there_was_nothing_new(
        self, open_store: OpenStore
    ) -> None:
        exp = open_store().experiment("coins", COINS)
        held = exp.ask_many(2, "ann")
        assert exp.ask_many(2, "ann", key="again") == held
        exp.tell_many(held, [1, 0])
        assert open_store().experiment("coins").ask_many(2, "ann", key="again") == held
        assert exp.ask_many(2, "ann", key="new") != held

    def test_a_key_that_was_refused_is_free(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        pull = exp.ask()
        with pytest.raises(SpecError):
            exp.tell(pull, 2, key="one")
        exp.tell(pull, 1, key="one")
        assert exp.pulls == 1

    def test_the_same_reward_is_acknowledged_and_another_refused(
        self, open_store: OpenStore
    ) -> None:
        exp = open_store().experiment("coins", COINS)
        pull = exp.ask()
        exp.tell(pull, 1)
        exp.tell(pull, 1)
        with pytest.raises(ProtocolError, match=r"was told 1\.0 before"):
            open_store().experiment("coins").tell(pull, 0)
        assert exp.pulls == 1
        assert list_kinds(exp.journal()) == ["asked", "told"]

    def test_money_is_kept_exactly_and_ends_the_asking(self, open_store: OpenStore) -> None:
        problem = Problem(["a", "b"], 0.5, cost=[0.1, 0.3], max_cost=2, arms_planned=3)
        exp = open_store().experiment("paid", problem, seed=1)
        assert (exp.problem, exp.verdict.cost) == (problem, 0.0)
        ident = Identifier(problem, seed=1)
        first = exp.ask_many(2)
        assert first == ident.ask_many(2)
        for each in (exp, ident):
            each.tell_many(first, [1, 0], costs=[None, 0.7])
        exp.tell(first[1], 0, cost=0.7, key="again")
        for cost in (0.6, -1, 1e9):
            with pytest.raises((ProtocolError, SpecError)):
                exp.tell(first[1], 0, cost=cost)
        assert exp.verdict.cost == ident.verdict.cost == 0.8
        exp.add_arm("c", cost=0.5)
        ident.add_arm("c", cost=0.5)
        while pulls := exp.ask_many(3):
            assert pulls == ident.ask_many(3)
            assert (exp.verdict.cost or 0.0) <= 2.0
            for each in (exp, ident):
                each.tell_many(pulls, [pull.number % 2 for pull in pulls])
        again = open_store().experiment("paid")
        assert again.is_done
        assert again.verdict == ident.verdict
        assert again.table() == ident.table()
        with pytest.raises(ProtocolError, match="allowed is asked for"):
            again.ask()
        told = [entry for entry in again.journal() if entry["kind"] == "told"]
        assert [entry.get("costs") for entry in told[:2]] == [[None, 0.7], None]
        again.verify()

    def test_what_is_refused_leaves_no_entry(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        pull = exp.ask()
        for wrong in (
            lambda: exp.tell(pull, 2),
            lambda: exp.tell(Pull(7, "a"), 1),
            lambda: exp.tell_many([pull], [1, 0]),
            lambda: exp.tell_many([pull, Pull(7, "a")], [1, 0]),
            lambda: exp.ask_many(0),
            lambda: exp.ask(lease=-1),
            lambda: exp.add_arm("d"),
            lambda: exp.observe("nobody", [1]),
        ):
            with pytest.raises((SpecError, ProtocolError)):
                wrong()
        assert len(exp.journal()) == 1
        assert (exp.pulls, exp.waiting) == (0, [pull])

    def test_a_batch_is_one_entry(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("hard", HARD)
        pulls = exp.ask_many(50)
        exp.tell_many(pulls, [number % 2 for number in range(50)])
        entries = open_store().experiment("hard").journal()
        assert list_kinds(entries) == ["asked", "told"]
        assert list_rewards(entries) == [(pull.number, n % 2) for n, pull in enumerate(pulls)]

    def test_a_label_once_given_stays(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        exp.observe("a", [1] * 30)
        assert exp.verdict.good == ["a"]
        other = open_store().experiment("coins")
        other.observe("a", [0] * 60)
        for _ in range(10):
            pulls = other.ask_many(5)
            assert all(pull.arm != "a" for pull in pulls)
            other.tell_many(pulls, [pull.number % 2 for pull in pulls])
        for each in (exp, other, open_store().experiment("coins")):
            assert each.verdict.good[0] == "a"
            assert each.explain("a").label == "good"
        exp.verify()

    def test_rewards_may_come_in_any_order(self, open_store: OpenStore) -> None:
        exp, same = (open_store().experiment(name, HARD, seed=3) for name in ("one", "two"))
        pulls = exp.ask_many(40)
        assert same.ask_many(40) == pulls
        for pull in pulls:
            exp.tell(pull, pull.number % 2)
        same.tell_many(pulls[::-1], [pull.number % 2 for pull in pulls[::-1]])
        assert same.table() == exp.table()

    def test_pause_resume_close_and_arms_that_join(self, open_store: OpenStore) -> None:
        problem = Problem(["a"], 0.5, 0.2, arms_planned=2)
        exp = open_store().experiment("joining", problem)
        pull = exp.ask()
        exp.pause()
        exp.pause()
        with pytest.raises(ProtocolError, match="paused"):
            open_store().experiment("joining").ask()
        exp.tell(pull, 1)
        exp.resume()
        exp.add_arm("b", key="b")
        exp.add_arm("b", key="b")
        assert open_store().experiment("joining").problem.arms == ("a", "b")
        with pytest.raises((SpecError, ProtocolError), match="arms_planned"):
            exp.add_arm("c")
        assert exp.ask().arm == "b"
        exp.close()
        exp.close()
        assert open_store().experiment("joining").is_done
        with pytest.raises(ProtocolError, match="closed"):
            exp.tell(exp.waiting[0], 1)
        happened = ["asked", "paused", "told", "resumed", "added", "asked", "closed"]
        assert list_kinds(exp.journal()) == happened
        exp.verify()

    def test_an_arm_that_is_taken_out_is_not_asked_again(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("coins", COINS)
        pulls = exp.ask_many(3)
        exp.take_out("b", key="b")
        open_store().experiment("coins").take_out("b", key="b")
        exp.tell_many(pulls, make_rewards(pulls))
        while new := exp.ask_many(5):
            assert all(pull.arm != "b" for pull in new)
            exp.tell_many(new, make_rewards(new))
        assert open_store().experiment("coins").status == "done"
        assert exp.verdict.undecided == ["b"]
        assert list_kinds(exp.journal()).count("taken_out") == 1
        exp.verify()

    def test_it_says_how_it_stands(self, open_store: OpenStore) -> None:
        exp, other = open_store().experiment("coins", COINS), open_store().experiment("coins")
        assert (other.status, other.entries, other.changed_at) == ("running", 0, None)
        pull = exp.ask("ann", 60)
        ((out, worker, asked_at, until),) = other.out
        assert (out, worker, until) == (pull, "ann", asked_at + 60)
        assert (other.entries, other.changed_at) == (1, asked_at)
        exp.pause()
        assert other.status == "paused"
        assert list_kinds(other.journal(after=1)) == ["paused"]
        exp.tell(pull, 1)
        assert other.out == []
        assert other.waiting == []
        exp.close()
        assert (other.status, other.entries) == ("closed", 4)
        verified = other.verify()
        assert (verified.entries, verified.rewards, verified.labels) == (4, 1, 0)

    def test_another_problem_under_the_same_name_shows_the_difference(
        self, open_store: OpenStore
    ) -> None:
        open_store().experiment("coins", COINS, seed=1)
        open_store().experiment("coins", COINS)
        other = Problem(["a", "b", "c"], 0.6, 0.2)
        with pytest.raises(SpecError, match=r"problem threshold 0\.5, not 0\.6"):
            open_store().experiment("coins", other)
        with pytest.raises(SpecError, match="seed 1, not 2"):
            open_store().experiment("coins", COINS, seed=2)
        with pytest.raises(SpecError, match="reward timeout meaning 'wait', not 'lost'"):
            open_store().experiment("coins", COINS, reward_timeout=RewardTimeout("lost", 60))
        with pytest.raises(SpecError, match="There is no experiment 'other'"):
            open_store().experiment("other")

    @pytest.mark.parametrize("name", ["", "a/b", "-a", ".a", "a" * 65, "a b", "a\n", "é"])
    def test_names_are_plain(self, open_store: OpenStore, name: str) -> None:
        with pytest.raises(SpecError, match=r"'name' of Store\.experiment"):
            open_store().experiment(name, COINS)
        assert open_store().experiments() == []

    def test_experiments_are_listed_and_deleted(self, open_store: OpenStore) -> None:
        store = open_store()
        store.experiment("b", COINS)
        gone = store.experiment("a", COINS)
        gone.ask()
        assert [each.name for each in open_store().experiments()] == ["a", "b"]
        assert [each.entries for each in open_store().experiments()] == [1, 0]
        assert store.delete("a")
        assert not store.delete("a")
        with pytest.raises(GoodArmError, match="was deleted"):
            gone.ask()
        assert open_store().experiment("a", COINS).journal() == []
