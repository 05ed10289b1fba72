"""``goodarm algorithms``: list of the named algorithms."""

from typing import TYPE_CHECKING

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, print_table, say
from goodarm.views.text import TableLayout

if TYPE_CHECKING:
    from goodarm.algorithm import Warmup


def list_algorithms(
    as_json: AsJson = False,
) -> None:
    """List the algorithms, with their rules and papers."""
    from goodarm.algorithm import algorithms

    infos = algorithms().values()
    if as_json:
        entries = [info.to_dict() for info in infos]
        print_json({"kind": "algorithms", "format": 1, "algorithms": entries})
        return
    rows = [
        (
            info.name,
            info.algorithm.sampling.name,
            ", ".join(form.identification.name for form in (info.algorithm, *info.others.values())),
            _format_warmup(info.algorithm.warmup),
            info.reference,
        )
        for info in infos
    ]
    header = ("algorithm", "sampling", "identification", "warm-up", "paper")
    print_table("", header, rows, TableLayout(left=5, prose=4))
    say("For each of them, the chance that any label is wrong is at most delta.")
    say("The default is e-hdoc, with the test that suits the rewards.")


def _format_warmup(warmup: "Warmup") -> str:
    """Return the warm-up pulls of each arm, and whether arms are tested during them."""
    return f"{warmup.pulls}, tested" if warmup.identify_during_warmup else str(warmup.pulls)
