"""Section of a report on one instance: rows beside the paper's, curves, theory, footnotes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from goodarm.papers import Footnote, Paper, PaperExperiment, PublishedRow
from goodarm.report import Agreement, ComparisonRow, MeanRow, Section, TauCurve, TheoryPart
from goodarm.reproduce.agreement import (
    LEVEL,
    MeasuredNumber,
    PublishedNumber,
    compute_welch_p_value,
    correct_by_holm,
)
from goodarm.results import Quantity, Runs, RunsRow


def make_section(
    paper: Paper,
    experiment: PaperExperiment,
    runs: Mapping[str, Runs],
    theory: TheoryPart | None,
    left_out: Sequence[str] = (),
) -> Section:
    """Make the report's section on one instance from its runs by algorithm.

    ``left_out`` are sentences on algorithms that cannot take its rewards.
    """
    instance = experiment.instance
    footnotes = [
        note
        for note in paper.footnotes
        if note.with_theory in (None, theory is not None)
        and any(note.applies_to(instance.name, algorithm) for algorithm in runs)
    ]
    measured = {name: _RunsSummary(found) for name, found in runs.items()}
    return Section(
        instance=instance.to_dict(),
        delta=paper.delta_of(experiment),
        runs=len(next(iter(runs.values()))),
        wrong={name: int(found.wrong.sum()) for name, found in runs.items()},
        rows=_make_rows(paper, experiment, measured, footnotes),
        means=_make_means(experiment, measured),
        curves=tuple(
            _make_curve(paper, instance.name, name, found) for name, found in runs.items()
        ),
        theory=theory,
        footnotes=(*(note.text for note in footnotes), *left_out),
    )


class _RunsSummary:
    """Summary of one algorithm's runs by quantity, computed once."""

    def __init__(self, runs: Runs) -> None:
        self.limit = runs.problem.max_pulls
        self._runs = len(runs)
        self._rows = {row.quantity: row for row in runs.table().rows}

    def count_reached(self, quantity: Quantity) -> int:
        """Return the number of runs that reached the quantity."""
        return self._rows[quantity].runs if quantity in self._rows else 0

    def row(self, quantity: Quantity) -> RunsRow | None:
        """Return the quantity's summary over all runs; None unless all reached it."""
        return self._rows[quantity] if self.count_reached(quantity) == self._runs else None

    def mean(self, quantity: Quantity) -> float | None:
        """Return the mean over the runs that reached it; a wrong label may keep a few from it.

        Return None if runs have a limit of pulls and not all of them reached it.
        """
        row = self._rows.get(quantity) if self.limit is None else self.row(quantity)
        return None if row is None else row.mean


def _make_rows(
    paper: Paper,
    experiment: PaperExperiment,
    measured: Mapping[str, _RunsSummary],
    footnotes: list[Footnote],
) -> tuple[ComparisonRow, ...]:
    rows: list[ComparisonRow] = []
    name = experiment.instance.name
    for quantity in experiment.quantities:
        for algorithm, found in measured.items():
            notes = tuple(
                number
                for number, note in enumerate(footnotes, start=1)
                if note.marks(name, algorithm, quantity)
            )
            published = paper.row(name, algorithm, quantity)
            rows.append(_make_row(published, algorithm, quantity, found, experiment.runs, notes))
    tested = [position for position, row in enumerate(rows) if row.p_value is not None]
    adjusted = correct_by_holm([p for row in rows if (p := row.p_value) is not None])
    for position, p_value in zip(tested, adjusted, strict=True):
        agreement: Agreement = "agrees" if p_value > LEVEL else "differs"
        rows[position] = replace(rows[position], p_value=p_value, agreement=agreement)
    return tuple(rows)


def _make_row(
    published: PublishedRow | None,
    algorithm: str,
    quantity: Quantity,
    measured: _RunsSummary,
    paper_runs: int,
    notes: tuple[int, ...],
) -> ComparisonRow:
    """Make a row with the p-value of its own test; Holm's correction comes later."""
    ours = measured.row(quantity)
    paper_mean = None if published is None else published.pulls
    paper_sd = None if published is None else published.pulls_sd
    agreement, p_value = _compare(published, ours, paper_runs)
    return ComparisonRow(
        quantity=quantity,
        algorithm=algorithm,
        printed=None if published is None else published.mean,
        unit_printed=None if published is None else published.unit_printed,
        paper_mean=paper_mean,
        paper_sd=paper_sd,
        mean=None if ours is None else ours.mean,
        sd=None if ours is None else ours.sd,
        reached=measured.count_reached(quantity),
        limit=measured.limit,
        ratio=None if ours is None or paper_mean is None else ours.mean / paper_mean,
        p_value=p_value,
        agreement=agreement,
        notes=notes,
    )


def _compare(
    published: PublishedRow | None, ours: RunsRow | None, paper_runs: int
) -> tuple[Agreement, float | None]:
    """Return the agreement as far as it is known without a test, and the p-value of the test."""
    if published is None:
        return "not printed", None
    if published.pulls is None:
        return ("both beyond the limit" if ours is None else "differs"), None
    if published.pulls_sd is None:
        return "no sd printed", None
    if ours is None:
        return "differs", None
    if ours.sd is None:
        return "too few runs", None
    printed = PublishedNumber(published.pulls, published.pulls_sd, paper_runs, published.rounding)
    return "agrees", compute_welch_p_value(MeasuredNumber(ours.mean, ours.sd, ours.runs), printed)


def _make_curve(paper: Paper, instance: str, algorithm: str, runs: Runs) -> TauCurve:
    """Make the curve of pulls against good arms identified, as far as all runs reached."""
    reached_by_all = int((~np.isnan(runs.tau)).sum(axis=1).min())
    tau = runs.tau[:, :reached_by_all]
    sd = tau.std(axis=0, ddof=1) if len(runs) > 1 else np.zeros(reached_by_all)
    points = [
        (row.quantity.count, row.pulls, row.pulls_sd or 0.0)
        for row in paper.rows
        if (row.instance, row.algorithm) == (instance, algorithm)
        and row.quantity.count is not None
        and row.pulls is not None
    ]
    columns = list(zip(*points, strict=True)) if points else [(), (), ()]
    return TauCurve(
        algorithm=algorithm,
        counts=np.arange(1, reached_by_all + 1),
        mean=tau.mean(axis=0),
        sd=sd,
        paper_counts=np.array(columns[0], np.int64),
        paper_mean=np.array(columns[1], np.float64),
        paper_sd=np.array(columns[2], np.float64),
    )


def _make_means(
    experiment: PaperExperiment, measured: Mapping[str, _RunsSummary]
) -> tuple[MeanRow, ...]:
    return tuple(
        MeanRow(quantity, {name: found.mean(quantity) for name, found in measured.items()})
        for quantity in experiment.quantities
    )


def make_theory(paper: Paper, experiment: PaperExperiment) -> TheoryPart | None:
    """Compute the paper's theory for one instance; None if the paper declares none that holds."""
    declared, instance = paper.theory, experiment.instance
    if declared is None or not declared.holds(instance):
        return None
    delta = paper.delta_of(experiment)
    bounds = {q: declared.lower_bound(instance, delta, q) for q in experiment.quantities}
    return TheoryPart(
        lower_bounds={q: bound if math.isfinite(bound) else None for q, bound in bounds.items()},
        facts=() if declared.facts is None else declared.facts(instance, delta),
        widths=None if declared.widths is None else declared.widths(instance, delta),
    )
