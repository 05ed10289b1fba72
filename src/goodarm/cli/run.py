"""``goodarm run``: a run of an experiment that a file describes, until its verdict."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

from goodarm.cli import row_options, usage
from goodarm.cli.gate import DEFAULT_FAIL_ON, choose_exit, parse_fail_on
from goodarm.cli.options import NUMBER, AsJson
from goodarm.cli.output import find_terminal_width, print_json, print_lines, say, say_picture
from goodarm.cli.process_wrapper import set_kept_message
from goodarm.cli.stores import TokenFile, open_store_or_service
from goodarm.errors import SpecError, invalid_argument
from goodarm.views.numbers import plural

if TYPE_CHECKING:
    from goodarm.cli.gate import GateExit
    from goodarm.cli.show_view import ExperimentView
    from goodarm.cli.stores import AnyExperiment
    from goodarm.runner.experiment_file import ExperimentFile
    from goodarm.runner.experiment_run import RunProgress
    from goodarm.runner.store_access import ExperimentStore

EXAMPLE_PATH: Final = Path("experiment.toml")
MAX_JOBS: Final = 1000


def run_experiment(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The TOML file that describes the experiment.")
    ] = EXAMPLE_PATH,
    init: Annotated[
        bool, typer.Option("--init", help="Write an example file that you can run, and stop.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(metavar=NUMBER, help="Number of pulls to run at the same time.")
    ] = 1,
    worker: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Name of this run, if several runs share the experiment. A run continues the "
            "pulls that an earlier run of the same name left unfinished.",
        ),
    ] = None,
    fail_on: row_options.FailOn = DEFAULT_FAIL_ON,
    show_all: row_options.ShowAll = False,
    plot: row_options.Plot = None,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            help="Print the result only, no progress.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = False,
    server: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The service that keeps the experiment, in place of the store in the file.",
        ),
    ] = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Run an experiment that a file describes, or continue it.

    The run ends when every arm is labelled, or as the file says. You can stop it with Ctrl-C: the
    same command continues it, also after a crash. Rewards are kept; unfinished pulls run again.

    Exit code: 0 if all arms are good; 1 if one is bad; 3 if one is undecided and none is bad
    (--fail-on changes this); 2 for wrong use or a pull that gave no reward.
    """
    if init:
        from goodarm.runner.example_file import write_example

        write_example(file)
        say(f"Wrote {file}. Run it with: goodarm run {file}")
        return
    failing = parse_fail_on(fail_on)
    if not 1 <= jobs <= MAX_JOBS:
        raise invalid_argument("--jobs", "run", f"be a whole number from 1 to {MAX_JOBS}", jobs)
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "run")
    from goodarm.runner.experiment_file import read_experiment_file

    found = read_experiment_file(file)
    if server is not None:
        found = _replace_store(found, server)
    view, progress = _run(found, worker, jobs, token_file, quiet=quiet)
    outcome = choose_exit(view.table.num_by_label, failing)
    if plot is not None:
        from goodarm.views.figures.arms import save_arms

        save_arms(view.table, plot)
    if as_json:
        print_json(_make_document(view, progress, outcome))
    else:
        _print(view, progress, show_all)
    if plot is not None:
        say_picture(plot, is_data=as_json)
    raise typer.Exit(outcome.code)


def _replace_store(file: "ExperimentFile", url: str) -> "ExperimentFile":
    """Return the file with a service as its store."""
    from goodarm.client import is_service

    if not is_service(url):
        raise SpecError(
            argument="--server",
            owner="run",
            rule="be the address of a service, such as https://host",
        )
    return replace(file, store=url)


def _run(
    file: "ExperimentFile", worker: str | None, jobs: int, token_file: Path | None, *, quiet: bool
) -> "tuple[ExperimentView, RunProgress]":
    """Open the experiment in its store and make its pulls."""
    from goodarm.cli.run_view import show_progress
    from goodarm.cli.show_view import ExperimentView
    from goodarm.runner.experiment_run import ExperimentRun
    from goodarm.runner.run_lock import hold_run_lock
    from goodarm.runner.store_access import choose_worker, open_experiment, redact_store

    name = choose_worker(file, worker)
    with (
        open_store_or_service(file.store, token_file, must_exist=False) as store,
        hold_run_lock(file, name),
    ):
        keeper: ExperimentStore[AnyExperiment] = store
        exp = open_experiment(keeper, file)
        place = redact_store(file)
        if file.store != "memory:":
            set_kept_message(f"all rewards are kept in {place}")
        if not quiet:
            _print_start(exp, name, place)
        run = ExperimentRun(exp, file.source(), file.reward, name, jobs, file.task_of)
        with _exit_on_signals():
            try:
                with show_progress(exp, quiet=quiet) as watch:
                    progress = run.go(watch)
            except KeyboardInterrupt:
                if file.store != "memory:" and exp.pulls:
                    set_kept_message(f"{_format_pulls(exp.pulls)} kept in {place}")
                raise
        if progress.suspect:
            say(f"goodarm: {progress.suspect}", err=True)
        return ExperimentView.of(exp), progress


def _print_start(exp: "AnyExperiment", worker: str, place: str) -> None:
    """Print where the experiment is kept, its pulls so far, and the pulls that others hold."""
    where = "in memory only" if place == "memory:" else f"in {place}"
    if exp.is_done:
        say(f"goodarm: {exp.name!r}, kept {where}, is done.", err=True)
        return
    if exp.pulls:
        say(
            f"goodarm: continuing {exp.name!r}, kept {where}, after {exp.pulls:,} pulls.",
            err=True,
        )
    else:
        say(f"goodarm: {exp.name!r} is kept {where}.", err=True)
    out = [each.worker or "" for each in exp.out]
    others = [name for name in out if name.rpartition("-")[0] != worker]
    if others:
        names = sorted({name.rpartition("-")[0] or "somebody" for name in others})
        what = plural(len(others), "pull")
        say(
            f"goodarm: waiting for {what} in progress with {', '.join(names)}. If their rewards "
            f"will not come, run the pulls here: --worker {names[0]}.",
            err=True,
        )


@contextmanager
def _exit_on_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into SystemExit, so that no process is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: list[tuple[int, object]] = []
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            before.append((number, signal.signal(number, _handle_signal)))
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)  # type: ignore[arg-type]


def _handle_signal(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _make_document(
    view: "ExperimentView", progress: "RunProgress", outcome: "GateExit"
) -> dict[str, object]:
    document = view.to_dict()
    arms, out = document.pop("arms"), document.pop("out")
    this_run = {"told": progress.told, "lost": progress.lost, "late": progress.late}
    gate = {"exit_code": outcome.code, "exit_reason": outcome.reason}
    return {**document, "kind": "run", "this_run": this_run, **gate, "arms": arms, "out": out}


def _print(view: "ExperimentView", progress: "RunProgress", show_all: bool) -> None:
    from goodarm.cli.check_view import format_table

    width = find_terminal_width()
    most = row_options.choose_max_rows(width, show_all=show_all)
    say(view.table.summary)
    lines, left_out = format_table(view.table, [], row_options.DEFAULT_SORT, width, most)
    print_lines(lines)
    this_run = f"{plural(view.pulls, 'pull')} in all; in this run: {progress.told:,} with a reward"
    this_run += f", {progress.lost:,} lost" if progress.lost else ""
    this_run += f" ({progress.late:,} of these timed out)." if progress.late else "."
    for note in (left_out, view.table.lost_note, this_run, view.table.promise):
        if note:
            say(note)


def _format_pulls(count: int) -> str:
    return "1 pull is" if count == 1 else f"{count:,} pulls are"
