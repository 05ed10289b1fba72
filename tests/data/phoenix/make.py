"""Write the experiments of this folder: a Phoenix server on loopback runs them.

In an environment of its own: pip install arize-phoenix==20.26.1, then ``phoenix serve`` with
PHOENIX_WORKING_DIR in an empty folder and PHOENIX_PORT=16006, and ``python make.py`` beside it.
"""

import itertools
import urllib.request
from pathlib import Path

from phoenix.client import Client

HERE = Path(__file__).parent
SERVER = "http://127.0.0.1:16006"
calls = itertools.count()


def answer(input):  # noqa: A002  Phoenix passes the example's fields by name
    """Add up right, except for 4 + 4, and for every second answer to 3 + 3."""
    first, second = input["question"].split(" + ")
    if first == "4" or (first == "3" and next(calls) % 2):
        return "9"
    return str(int(first) + int(second))


def break_on_three(input):  # noqa: A002
    if input["question"].startswith("3"):
        raise RuntimeError("no connection")
    return answer(input)


def correct(output, expected):
    return output == expected["answer"]


def length(output):
    return 0.5 * len(output)


def grade(output, expected):
    return 5 if output == expected["answer"] else 2


def label(output, expected):
    return "correct" if output == expected["answer"] else "incorrect"


def judge(output, expected):
    if output == "9":
        raise ValueError("rate limit")
    return output == expected["answer"]


def main():
    client = Client(base_url=SERVER)
    data = client.datasets.create_dataset(
        name="sums",
        inputs=[{"question": f"{number} + {number}"} for number in range(1, 5)],
        outputs=[{"answer": str(2 * number)} for number in range(1, 5)],
    )
    experiments = {
        "repeat": (answer, [correct, length], 3),
        "broken": (break_on_three, [correct], 1),
        "judged": (answer, [grade, label, judge], 1),
        "unjudged": (answer, [], 1),
    }
    for name, (task, evaluators, repetitions) in experiments.items():
        done = client.experiments.run_experiment(
            dataset=data,
            task=task,
            evaluators=evaluators or None,
            repetitions=repetitions,
            experiment_name=name,
            retries=0,
        )
        for form in ("json", "csv") if name == "repeat" else ("json",):
            address = f"{SERVER}/v1/experiments/{done['experiment_id']}/{form}"
            with urllib.request.urlopen(address) as response:
                (HERE / f"{name}.{form}").write_bytes(response.read())


main()
