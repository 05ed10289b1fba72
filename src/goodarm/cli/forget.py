"""``goodarm forget``: give up pulls whose rewards will not come."""

from typing import Annotated

import typer

from goodarm.cli.output import say
from goodarm.cli.stores import Name, TokenFile, Url, find_experiment, open_store_or_service
from goodarm.errors import invalid_argument
from goodarm.views.numbers import plural


def forget_pulls(
    url: Url,
    name: Name,
    numbers: Annotated[
        list[int], typer.Argument(metavar="PULL...", help="The numbers of the pulls.")
    ],
    is_independent: Annotated[
        bool,
        typer.Option(
            "--loss-is-independent",
            help="Count the pulls as never made. Only if losing them has nothing to do with their "
            "rewards.",
        ),
    ] = False,
    token_file: TokenFile = None,
) -> None:
    """Give up pulls whose rewards will not come, so that arms can go on.

    They count as the worst case for either label. 'goodarm show' lists the pulls in progress.
    """
    with open_store_or_service(url, token_file) as store:
        exp = find_experiment(store, name, "forget")
        out = {each.pull.number: each.pull for each in exp.out}
        for number in numbers:
            if number not in out:
                remedy = "List them with: goodarm show URL NAME --all"
                raise invalid_argument(
                    "PULL", "forget", "be the number of a pull in progress", number, remedy
                )
        pulls = [out[number] for number in dict.fromkeys(numbers)]
        for pull in pulls:
            exp.forget(pull, loss_is_independent=is_independent)
    say(f"{plural(len(pulls), 'pull')} of {name} given up.")
