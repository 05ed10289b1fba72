"""``goodarm show``: the arms of a stored experiment, as a table, live, or as pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.cli import row_options, usage
from goodarm.cli.options import FILE, NUMBER, AsJson, number
from goodarm.cli.output import find_terminal_width, print_json, say, say_picture
from goodarm.cli.stores import Name, TokenFile, Url, find_experiment, open_store_or_service
from goodarm.errors import SpecError, invalid_argument

if TYPE_CHECKING:
    from goodarm.cli.show_view import ExperimentView
    from goodarm.cli.stores import AnyExperiment

_MAX_ARMS_DRAWN: Final = 12
"""Most arms in one picture of histories."""
_DEFAULT_SECONDS: Final = 1.0


def show_experiment(
    url: Url,
    name: Name,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Keep the table up to date until all arms are decided, or you press Ctrl-C.",
        ),
    ] = False,
    every: Annotated[
        float | None,
        typer.Option(
            metavar=NUMBER,
            parser=number,
            help="With --watch: seconds between two updates; 1 if not given.",
        ),
    ] = None,
    show_all: row_options.ShowAll = False,
    only: row_options.Only = None,
    sort: row_options.Sort = row_options.DEFAULT_SORT,
    plot: row_options.Plot = None,
    history: Annotated[
        Path | None,
        typer.Option(
            metavar=FILE,
            help="Draw the intervals over time into a .png, .svg or .pdf file.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="With --history: an arm to draw. Repeat the option for up to 12.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    token_file: TokenFile = None,
    as_json: AsJson = False,
    as_csv: row_options.AsCsv = False,
) -> None:
    """Show the arms of an experiment: now, live, or over time.

    Look as often as you like: the labels stay valid.
    """
    labels = row_options.choose_labels("show", only, sort, as_json=as_json, as_csv=as_csv)
    pictures = {"--plot": plot, "--history": history}
    if watch:
        _refuse_with_watch({"--json": as_json, "--csv": as_csv, **pictures})
    _check_options(watch, every, history, arm)
    _check_pictures(pictures)
    from goodarm.cli.show_view import ExperimentView

    with open_store_or_service(url, token_file) as store:
        exp = find_experiment(store, name, "show")
        width = find_terminal_width()
        most = row_options.choose_max_rows(width, show_all=show_all)
        if watch:
            view = _watch(exp, labels, sort, _DEFAULT_SECONDS if every is None else every, most)
        else:
            view = ExperimentView.of(exp)
        if history is not None:
            _draw_history(exp, view, history, arm)
    if plot is not None:
        from goodarm.views.figures.arms import save_arms

        save_arms(view.table, plot)
    if as_json:
        print_json(view.to_dict())
    elif as_csv:
        row_options.print_rows_as_csv(view.table, labels, sort)
    else:
        _print(view, labels, sort, width, most)
    for path in pictures.values():
        if path is not None:
            say_picture(path, is_data=as_json or as_csv)


def _refuse_with_watch(beside: dict[str, object]) -> None:
    """Raise an error for options that ``--watch`` excludes."""
    for option, value in beside.items():
        if value:
            raise SpecError(
                f"--watch keeps a table up to date. Leave out {option}.",
                argument="--watch",
                owner="show",
                rule=f"come without {option}",
                value=value,
            )


def _check_pictures(pictures: dict[str, Path | None]) -> None:
    for option, path in pictures.items():
        if path is not None:
            from goodarm.views.figures.pictures import check_picture

            check_picture(path, "show", option)


def _check_options(
    watch: bool, every: float | None, history: Path | None, arm: list[str] | None
) -> None:
    if every is not None and not watch:
        raise invalid_argument("--every", "show", "be used with --watch only", every)
    if every is not None and not 0 < every <= 86400:
        raise invalid_argument(
            "--every", "show", "be a number of seconds above 0, at most a day", every
        )
    if arm and history is None:
        raise invalid_argument("--arm", "show", "be used with --history only", arm[0])
    if arm and len(set(arm)) > _MAX_ARMS_DRAWN:
        raise invalid_argument(
            "--arm", "show", f"name at most {_MAX_ARMS_DRAWN} arms", len(set(arm))
        )


def _watch(
    exp: "AnyExperiment", only: list[str], sort: str, seconds: float, most: int | None
) -> "ExperimentView":
    from goodarm.cli.live_table import watch_experiment
    from goodarm.cli.show_view import format_lines

    return watch_experiment(
        exp, lambda *shown: format_lines(shown[0], only, sort, *shown[1:]), seconds, most
    )


def _print(
    view: "ExperimentView", only: list[str], sort: str, width: int | None, most: int | None
) -> None:
    from goodarm.cli.show_view import format_lines

    typer.echo("\n".join(format_lines(view, only, sort, width, most)))
    say(view.table.promise)


def _draw_history(
    exp: "AnyExperiment", view: "ExperimentView", path: Path, chosen: list[str] | None
) -> None:
    """Draw the history of the arms named, or of those with the most pulls."""
    from goodarm.views.figures.histories import draw_histories
    from goodarm.views.figures.pictures import save_picture

    arms = chosen
    if arms is None:
        pulled = [report for report in view.table if report.pulls]
        if not pulled:
            raise SpecError(
                f"The experiment {view.name!r} has no rewards yet, so there is no history to draw.",
                argument="NAME",
                owner="show",
                rule="be that of an experiment with rewards",
                value=view.name,
            )
        ranked = sorted(pulled, key=lambda report: -report.pulls)[:_MAX_ARMS_DRAWN]
        drawn = {str(report.arm) for report in ranked}
        arms = [str(report.arm) for report in view.table if str(report.arm) in drawn]
        if len(arms) < len(pulled):
            say(
                f"goodarm: drawing the {len(arms)} arms with the most pulls, of {len(pulled):,}. "
                "Choose others with --arm NAME.",
                err=True,
            )
    save_picture(draw_histories(exp.history(arms), view.problem, view.name), path)
