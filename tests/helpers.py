"""What several test files share."""

import time
from pathlib import Path

import numpy as np
from scipy.special import betainc

import goodarm as ga
from goodarm.algorithm import IDENTIFICATION_RULES, SAMPLING_RULES
from goodarm.simulation.engine import REFERENCE, SimulatedRun, SimulationTask
from goodarm.simulation.instance import fit_instance
from goodarm.simulation.laws import make_laws
from naive import algorithms as naive
from naive import tape as naive_tape

ROOT = Path(__file__).parents[1]
NAMED = list(ga.algorithms())
SAMPLING = list(SAMPLING_RULES)
IDENTIFICATION = list(IDENTIFICATION_RULES)


def make_suited_bets(gamblers=10):
    """The parts that the default bets on rewards in a range, and the shares, by the formula."""
    parts = [0.95 / 2**j for j in range(gamblers)]
    parts += [parts[-1] / 4**k for k in range(1, 6)]
    shares = np.arange(1.0, gamblers + 1.0) ** -0.5
    return np.array(parts), np.append(0.95 * shares / shares.sum(), [0.01] * 5)


def can_take_rewards(algorithm, rewards):
    """Whether an algorithm takes this kind of reward, by what its identification rule says."""
    kind = {"rewards": rewards or "bernoulli", "sigma": 1.0 if rewards == "gaussian" else None}
    try:
        algorithm.setup(ga.Problem(2, 0.5, 0.1, **kind))
    except ga.errors.SpecError:
        return False
    return True


def choose_suited_rewards(algorithm, sigma):
    """Keywords of a problem whose rewards the algorithm takes: 0/1 ones, or else Gaussian ones."""
    return (
        {} if can_take_rewards(algorithm, "bernoulli") else {"rewards": "gaussian", "sigma": sigma}
    )


def make_naive_case(problem, algorithm):
    """The problem and algorithm as the naive twin wants them."""
    setup, rule = algorithm.setup(problem), algorithm.identification
    hint, sizes = rule.parameters(problem), problem.pools
    return naive.Case(
        num_arms=problem.num_arms,
        arms_planned=problem.union_size,
        threshold=(problem.threshold - problem.offset) / problem.scale,
        margin_low=(problem.threshold - problem.margin - problem.offset) / problem.scale,
        margin_high=(problem.threshold + problem.margin - problem.offset) / problem.scale,
        delta=problem.delta,
        sampling=algorithm.sampling.name,
        identification=algorithm.identification.name,
        epsilon=setup.constants[0],
        warmup=setup.warmup,
        identify_during_warmup=setup.identify_during_warmup,
        until=problem.until,
        max_pulls=problem.max_pulls,
        is_gaussian=problem.rewards == "gaussian",
        weights=(hint["weight"],) if "weight" in hint else getattr(rule, "weights", ()),
        gamblers=hint.get("gamblers", getattr(rule, "gamblers", 16)),
        tilt=getattr(rule, "tilt", 0.0),
        tail=getattr(rule, "tail", 0),
        scales=(hint["scale"],) if "scale" in hint else getattr(rule, "scales", ()),
        pools=sizes,
        least={size: problem.pool_bars(size) for size in sizes or ()},
        settings={key: value for key, value in rule.to_dict().items() if key != "rule"},
    )


def run_naively(problem, algorithm, means, seed, run=0):
    """The run that the naive twin makes on the naive tape."""
    tapes = [
        naive_tape.tape(problem, seed, run, position, mean) for position, mean in enumerate(means)
    ]

    def next_reward(position):
        return (next(tapes[position]) - problem.offset) / problem.scale

    return naive.run(make_naive_case(problem, algorithm), next_reward)


def run_under_way(problem, algorithm, means, seed, engine=REFERENCE, run=0, arrivals=None):
    """A run of an engine before its first pull, to be moved on step by step."""
    setup, rule = algorithm.setup(problem), algorithm.rule(problem)
    instance = fit_instance(problem, len(means), list(means), "test")
    laws = make_laws(problem, instance, "test")
    task = SimulationTask(
        rule, setup, instance.means, seed, [run], engine, laws=laws, arrivals=arrivals
    )
    return SimulatedRun(task, run)


def run_compiled(problem, algorithm, means, seed, run=0, arrivals=None):
    """The same from the compiled loop, advanced one pull at a time to see which arm it pulls."""
    moving = run_under_way(problem, algorithm, means, seed, run=run, arrivals=arrivals)
    state, pulled = moving.state, []
    before = state.arms["pulls"].copy()
    while not moving.is_over:
        moving.step(1)
        pulled.append(int(np.flatnonzero(state.arms["pulls"] != before)[0]))
        before[:] = state.arms["pulls"]
    tau = state.tau[~np.isnan(state.tau)]
    return naive.Result(pulled, [int(label) for label in state.labels], [int(t) for t in tau])


def check_same_run(found, expected, who):
    """Raise an error that names the first pull, or the arm, where a run leaves the naive one."""
    if found == expected:
        return
    pairs = zip(found.pulled, expected.pulled, strict=False)
    for pull, (one, two) in enumerate(pairs, start=1):
        assert one == two, f"pull {pull} of run 0: {who} pulls arm {one}, the naive twin arm {two}"
    labels = [
        f"arm {arm} is labelled {one} by {who}, {two} by the naive twin"
        for arm, (one, two) in enumerate(zip(found.labels, expected.labels, strict=True))
        if one != two
    ]
    lengths = f"{who} ends after {len(found.pulled)} pulls, the naive twin {len(expected.pulled)}"
    times = f"good arms at {found.tau} by {who}, {expected.tau} by the naive twin"
    raise AssertionError("; ".join([*labels, lengths, times]))


def run_by_asking(problem, algorithm, means, seed):
    """The same through ask and tell."""
    ident = ga.Identifier(problem, algorithm, seed)
    tape = ga.simulation.Tape(problem, means, seed)
    pulled, tau = [], []
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
        pulled.append(problem.position(pull.arm))
        if len(ident.verdict.good) > len(tau):
            tau.append(ident.pulls)
    codes = {"good": 1, "bad": -1, "undecided": 0}
    return naive.Result(pulled, [codes[report.label] for report in ident.table()], tau)


def measure_unit_of_work():
    """Return the CPU seconds of a fixed piece of work: the machine's speed of the moment.

    The best of three, because others may be at work on this machine.
    """
    n = np.arange(200_000) % 1000 + 10.0
    spent = []
    for _ in range(3):
        start = time.process_time()
        betainc(0.8 * n + 1, 0.2 * n + 1, 0.8)
        [str(k).strip() for k in range(300_000)]
        spent.append(time.process_time() - start)
    return min(spent)
