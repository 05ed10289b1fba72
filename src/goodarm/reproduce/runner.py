"""Runner of a paper: every instance with every algorithm, with finished runs read from a folder."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_count, check_seed
from goodarm.errors import invalid_choice
from goodarm.papers import Paper, PaperExperiment
from goodarm.problem import Problem
from goodarm.report import PaperReport
from goodarm.reproduce.algorithm_choice import choose_algorithms
from goodarm.reproduce.section import make_section, make_theory
from goodarm.results import Runs
from goodarm.simulation import StageCallback, check_folder, fit_instance, make_runs
from goodarm.version import __version__

ALL = "all"


def reproduce(
    paper: Paper,
    instances: Sequence[str] = (ALL,),
    *,
    algorithms: Sequence[str | Algorithm] | None = None,
    runs: int | None = None,
    seed: int = 0,
    folder: Path,
    executor: Executor | None = None,
    progress: StageCallback | None = None,
) -> PaperReport:
    """Run a paper's experiments and report them beside its published rows.

    Args:
        paper: the paper to reproduce.
        instances: names of its instances, or ``"all"``.
        algorithms: names or Algorithms, instead of the paper's own. One whose test cannot take an
            instance's rewards is left out there, with a footnote.
        runs: number of runs, instead of the paper's.
        seed: seed of all runs.
        folder: folder for finished runs; another call with the same folder resumes from them.
        executor: as in ``simulate``.
        progress: called with the stage, the part done and the pulls.
    """
    experiments = _choose_experiments(paper, instances)
    given = None if algorithms is None else tuple(algorithms)
    fittings = [choose_algorithms(paper, experiment, given) for experiment in experiments]
    seed = check_seed("reproduce", seed)
    if runs is not None:
        runs = check_count("runs", "reproduce", runs)
    folder = check_folder("folder", "reproduce", folder)

    theories = [make_theory(paper, experiment) for experiment in experiments]
    jobs = [
        _Job(paper, experiment, algorithm, runs or experiment.runs, seed)
        for experiment, fitting in zip(experiments, fittings, strict=True)
        for algorithm in fitting.algorithms
    ]
    found: dict[tuple[str, str], Runs] = {}
    meter = _Meter(sum(job.expected_pulls for job in jobs), progress)
    for job in jobs:
        result = job.run(folder, executor, meter)
        found[job.experiment.instance.name, job.algorithm.name] = result
        meter.finish(job, result)
    sections = tuple(
        make_section(
            paper,
            experiment,
            {a.name: found[experiment.instance.name, a.name] for a in fitting.algorithms},
            theory,
            fitting.left_out,
        )
        for experiment, fitting, theory in zip(experiments, fittings, theories, strict=True)
    )
    return PaperReport(
        paper=paper.name,
        title=paper.title,
        reference=paper.reference,
        delta=paper.delta,
        seed=seed,
        version=__version__,
        algorithms=tuple(dict.fromkeys(a.name for each in fittings for a in each.algorithms)),
        sections=sections,
    )


def _choose_experiments(paper: Paper, instances: Sequence[str]) -> list[PaperExperiment]:
    known = {experiment.instance.name: experiment for experiment in paper.experiments}
    for name in instances:
        if name != ALL and name not in known:
            raise invalid_choice("instance", f"reproduce --paper {paper.name}", [*known, ALL], name)
    if ALL in instances or not instances:
        return list(paper.experiments)
    return [experiment for name, experiment in known.items() if name in instances]


class _Meter:
    """Progress of all jobs, weighted by the pulls that each is expected to take."""

    def __init__(self, total: float, progress: StageCallback | None) -> None:
        self._total = total
        self._done = 0.0
        self._pulls = 0
        self._progress = progress

    def tell(self, job: "_Job", part: float, pulls: int) -> None:
        """Report that a part of this job is done, with ``pulls`` pulls."""
        if self._progress is not None:
            whole = (self._done + part * job.expected_pulls) / self._total
            self._progress(job.label, whole, self._pulls + pulls)

    def finish(self, job: "_Job", runs: Runs) -> None:
        """Count the job as done."""
        self._done += job.expected_pulls
        self._pulls += int(runs.stop.sum())


@dataclass(frozen=True)
class _Job:
    """Job: the runs of one algorithm on one instance."""

    paper: Paper
    experiment: PaperExperiment
    algorithm: Algorithm
    runs: int
    seed: int

    @property
    def label(self) -> str:
        return f"{self.experiment.instance.name} {self.algorithm.name}"

    @property
    def expected_pulls(self) -> float:
        """Estimated pulls, for the time left: the largest published number, times the runs."""
        name = self.experiment.instance.name
        rows = [row for row in self.paper.rows if row.instance == name and row.pulls is not None]
        own_rows = [row for row in rows if row.algorithm == self.algorithm.name]
        return self.runs * max((row.pulls or 0.0 for row in own_rows or rows), default=1e6)

    @property
    def problem(self) -> Problem:
        delta = self.paper.delta_of(self.experiment)
        limit = self.experiment.max_pulls.get(self.algorithm.name)
        return self.experiment.instance.problem(delta, limit)

    def run(self, folder: Path, executor: Executor | None, meter: _Meter) -> Runs:
        """Make all runs, except those that are finished already, and return them."""

        def watch(done: int, total: int, pulls: int) -> None:
            meter.tell(self, min(max(pulls / self.expected_pulls, done / total), 1.0), pulls)

        problem, instance = self.problem, self.experiment.instance
        values = list[object](instance.distributions or instance.means)
        return make_runs(
            problem,
            self.algorithm,
            fit_instance(problem, instance.num_arms, values, "reproduce"),
            self.seed,
            self.runs,
            executor=executor,
            progress=watch,
            folder=folder,
        )
