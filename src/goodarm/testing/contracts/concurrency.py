"""Contract of stores: any number of threads and processes may share an experiment."""

import random
from functools import partial

from goodarm.errors import ProtocolError
from goodarm.problem import Problem
from goodarm.results import Pull
from goodarm.testing.contracts.helpers import COINS, HARD, OpenStore, list_rewards, run_in_threads

THREADS = 6
TURNS = 8


class ConcurrencyContract:
    """Tests of concurrent use."""

    def test_of_those_who_create_at_once_one_is_first(self, open_store: OpenStore) -> None:
        stores = [open_store() for _ in range(THREADS)]
        seeds = run_in_threads(THREADS, lambda n: stores[n].experiment("coins", COINS).seed)
        assert len(set(seeds)) == 1, seeds

    def test_each_reward_is_there_once_and_no_pull_is_given_twice(
        self, open_store: OpenStore
    ) -> None:
        """Threads that share a few handles ask and tell, and repeat some requests."""
        handles = [open_store().experiment("shared", HARD, seed=1) for _ in range(3)]

        def work(index: int) -> list[tuple[Pull, int]]:
            luck, exp = random.Random(index), handles[index % len(handles)]
            noted = []
            for turn in range(TURNS):
                for _ in range(luck.choice([1, 1, 2])):
                    pulls = exp.ask_many(2, key=f"ask {index} {turn}")
                for pull in pulls:
                    reward = int(luck.random() < 0.5)
                    for _ in range(luck.choice([1, 1, 2])):
                        exp.tell(pull, reward, key=luck.choice([None, f"tell {pull.number}"]))
                    noted.append((pull, reward))
            return noted

        results = run_in_threads(THREADS, work)
        noted = [each for result in results for each in result]
        assert len({pull.number for pull, _ in noted}) == len(noted) == THREADS * TURNS * 2
        exp = open_store().experiment("shared")
        rewards = list_rewards(exp.journal())
        assert len(rewards) == len(noted)
        assert dict(rewards) == {pull.number: reward for pull, reward in noted}
        assert (exp.pulls, exp.waiting) == (len(noted), [])
        exp.verify()

    def test_the_same_request_made_at_once_counts_once(self, open_store: OpenStore) -> None:
        handles = [open_store().experiment("shared", HARD, seed=1) for _ in range(THREADS)]

        def work(index: int, turn: int) -> list[Pull]:
            exp = handles[index]
            pulls = exp.ask_many(4, key=f"ask {turn}")
            exp.tell_many(pulls, [1, 0, 1, 0], key=f"tell {turn}")
            exp.observe(0, [1, 0], key=f"observe {turn}")
            return pulls

        for turn in range(TURNS):
            answers = run_in_threads(THREADS, partial(work, turn=turn))
            assert answers == [answers[0]] * THREADS
        assert handles[0].pulls == 6 * TURNS
        assert len(handles[0].journal()) == 3 * TURNS

    def test_workers_together_ask_for_no_more_money_than_allowed(
        self, open_store: OpenStore
    ) -> None:
        problem = Problem(2, 0.5, cost=[0.1, 0.3], max_cost=5)
        handles = [open_store().experiment("paid", problem, seed=1) for _ in range(THREADS)]

        def work(index: int) -> int:
            count = 0
            while pulls := handles[index].ask_many(1 + index, key=f"{index} {count}"):
                count += len(pulls)
                handles[index].tell_many(pulls, [pull.number % 2 for pull in pulls])
            return count

        counts = run_in_threads(THREADS, work)
        exp = open_store().experiment("paid")
        pulls = [row.pulls for row in exp.table()]
        assert sum(counts) == exp.pulls
        assert exp.verdict.cost == (pulls[0] + 3 * pulls[1]) / 10
        assert exp.verdict.cost <= 5
        assert exp.is_done

    def test_of_two_rewards_told_at_once_one_counts(self, open_store: OpenStore) -> None:
        handles = [open_store().experiment("shared", HARD, seed=1) for _ in range(THREADS)]
        pull = handles[0].ask()

        def tell(index: int) -> bool:
            try:
                handles[index].tell(pull, index % 2)
            except ProtocolError:
                return False
            return True

        is_taken = run_in_threads(THREADS, tell)
        assert is_taken in ([True, False] * (THREADS // 2), [False, True] * (THREADS // 2))
        ((_, reward),) = list_rewards(handles[0].journal())
        assert is_taken[int(reward)]

    def test_workers_that_ask_at_once_hold_different_pulls(self, open_store: OpenStore) -> None:
        handles = [open_store().experiment("shared", HARD, seed=1) for _ in range(THREADS)]
        held = run_in_threads(THREADS, lambda n: handles[n].ask_many(3, f"worker {n}", 1e6))
        assert len({pull for pulls in held for pull in pulls}) == 3 * THREADS
        again = run_in_threads(THREADS, lambda n: handles[n - 1].ask_many(3, f"worker {n}", 1e6))
        assert again == held
