"""Contract of stores: who holds a pull, for how long, and what silence means."""

import pytest

from goodarm.live import RewardTimeout
from goodarm.problem import Problem
from goodarm.testing.contracts.helpers import COINS, HARD, OpenStore, PassTime, list_kinds

CASES = Problem(["a"], threshold=0.5, delta=0.2, pool=30)


class LeaseContract:
    """Tests of workers, leases and silence. ``lease`` is the length of those that end in a test."""

    lease: float = 60.0

    def test_a_worker_has_its_pulls_again(self, open_store: OpenStore) -> None:
        exp = open_store().experiment("hard", HARD)
        held = exp.ask_many(2, "ann")
        assert open_store().experiment("hard").ask_many(2, "ann") == held
        assert open_store().experiment("hard").ask("ann") == held[0]
        exp.tell(held[0], 1)
        assert exp.ask_many(2, "ann") == held[1:]
        exp.forget(held[1])
        assert not set(exp.ask_many(2, "ann")) & set(held)
        exp.verify()

    def test_two_workers_never_hold_the_same_pull(self, open_store: OpenStore) -> None:
        stores = [open_store() for _ in range(3)]
        held = [
            store.experiment("hard", HARD, seed=1).ask_many(3, worker)
            for store in stores
            for worker in ("ann", "bob", None)
            if (store, worker) != (stores[0], None)
        ]
        ann, bob = held[0], held[1]
        assert held[2::3] == [ann, ann]
        assert held[3::3] == [bob, bob]
        numbers = [pull.number for pulls in (ann, bob, held[4], held[7]) for pull in pulls]
        assert len(set(numbers)) == len(numbers)

    def test_a_new_pull_takes_the_place_of_one_whose_lease_ended(
        self, open_store: OpenStore, pass_time: PassTime
    ) -> None:
        exp = open_store().experiment("coins", COINS)
        ann = exp.ask_many(2, "ann", self.lease)
        assert open_store().experiment("coins").ask_many(2, "ann", self.lease) == ann
        bob = exp.ask_many(2, "bob", 1e6)
        pass_time(1.1 * self.lease)
        new = open_store().experiment("coins").ask_many(2, "ann", 1e6)
        assert not set(new) & {*ann, *bob}
        assert exp.ask_many(2, "bob", 1e6) == bob
        exp.tell_many(ann, [1, 1])  # late, and still in their own places
        assert exp.pulls == 2
        assert list_kinds(exp.journal()) == ["asked", "asked", "expired", "asked", "told"]
        exp.verify()

    def test_a_case_whose_lease_ended_is_leased_again_under_its_number(
        self, open_store: OpenStore, pass_time: PassTime
    ) -> None:
        exp = open_store().experiment("cases", CASES)
        ann = exp.ask_many(2, "ann", self.lease)
        pass_time(1.1 * self.lease)
        bob = open_store().experiment("cases").ask_many(2, "bob", 1e6)
        assert bob == ann
        for each in (exp, open_store().experiment("cases")):  # and ann has them no more
            assert each.ask_many(2, "bob", 1e6) == bob
            assert not set(each.ask_many(2, "ann", 1e6)) & set(bob)
        exp.tell_many(ann, [1, 0])
        assert exp.pulls == 2
        assert not set(exp.ask_many(2, "bob")) & set(ann)
        exp.verify()

    def test_looking_ends_no_lease(self, open_store: OpenStore, pass_time: PassTime) -> None:
        """Writers decide that a lease has ended, and record it; readers change nothing."""
        exp = open_store().experiment("cases", CASES)
        ann = exp.ask_many(2, "ann", self.lease)
        pass_time(1.1 * self.lease)
        for each in (exp, open_store().experiment("cases")):
            assert each.waiting == ann
            assert each.pulls == 0
            assert list_kinds(each.journal()) == ["asked"]
        exp.tell(ann[0], 1)
        assert list_kinds(exp.journal()) == ["asked", "expired", "told"]
        exp.verify()

    @pytest.mark.parametrize(
        ("otherwise", "is_independent", "kind", "pulls"),
        [(0, False, "told", 3), (None, False, "forgotten", 3), (None, True, "forgotten", 0)],
        ids=["reward", "lost", "lost by chance"],
    )
    def test_silence_means_what_the_experiment_says(
        self,
        open_store: OpenStore,
        pass_time: PassTime,
        otherwise: int | None,
        is_independent: bool,
        kind: str,
        pulls: int,
    ) -> None:
        meaning = "lost" if otherwise is None else "reward"
        reward_timeout = RewardTimeout(meaning, self.lease, otherwise, is_independent)  # type: ignore[arg-type]
        exp = open_store().experiment("coins", COINS, reward_timeout=reward_timeout)
        silent = exp.ask_many(3)
        pass_time(1.1 * self.lease)
        open_store().experiment("coins").ask()
        *_, entry, _ = exp.journal()
        assert (entry["kind"], entry["is_silence"]) == (kind, True)
        assert entry["pulls"] == [pull.number for pull in silent]
        assert exp.pulls == pulls
        exp.verify()

    def test_times_never_fall(self, open_store: OpenStore, pass_time: PassTime) -> None:
        exp = open_store().experiment("coins", COINS)
        for _ in range(3):
            exp.ask()
            pass_time(0.01)
        times = [entry["at"] for entry in exp.journal()]
        assert times == sorted(times)
