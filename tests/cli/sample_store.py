"""A store with experiments in every state, and what the commands about it print."""

import random
import re

import goodarm as ga

MEANS = {"red": 0.8, "green": 0.5, "blue": 0.1}
ODD_NAME = "up\x1b[31m[red]:smile:"


def ask_and_tell(exp, means, rounds, seed=1, batch=5):
    luck = random.Random(seed)
    for _ in range(rounds):
        pulls = exp.ask_many(batch)
        exp.tell_many(pulls, [int(luck.random() < means[pull.arm]) for pull in pulls])


def fill_store(url):
    """Experiments in every state, one of them with odd names."""
    with ga.open_store(url) as store:
        exp = store.experiment("banners", ga.Problem([*MEANS], 0.5, 0.05), seed=7)
        ask_and_tell(exp, MEANS, 40)
        exp.ask_many(2, worker="ann [b]", lease=3600)
        closed = store.experiment("closed", ga.Problem(2, 0.5, 0.05), seed=7)
        ask_and_tell(closed, {0: 0.9, 1: 0.5}, 8)
        closed.close()
        names = [f"a_rather_long_name_of_a_test_with_parameters[{k}]" for k in range(40)]
        names.append(ODD_NAME)
        many = store.experiment("many", ga.Problem(names, 0.5, 0.05, margin=0.1), seed=7)
        ask_and_tell(many, {name: k / 40 for k, name in enumerate(names)}, 200)
        many.pause()
        store.experiment("new", ga.Problem(3, 0.5, 0.05), seed=7)
        pool = store.experiment(
            "pool", ga.Problem(["m1"], 0.5, 0.05, pool=200, arms_planned=3), seed=7
        )
        ask_and_tell(pool, {"m1": 0.6}, 3)
        pool.add_arm("m2", pool=50)
        while not pool.is_done:
            ask_and_tell(pool, {"m1": 0.9, "m2": 0.05}, 1)


def parse_rows(text):
    """The first table of a text: the header, and the cells of each row."""
    lines = text.split("\n")
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    end = lines.index("", rule)
    return [re.split(r"\s{2,}", line.strip()) for line in (lines[rule - 1], *lines[rule + 1 : end])]
