"""Tables and logs as people have them: each ends in an answer, or in a sentence that helps.

The files are made here. A task that ends with exit code 2 must say what to do, and doing it must
lead to an answer where the task names the options for that.
"""

import json
import random
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from goodarm.cli import app


class Task(NamedTuple):
    """A file, what one tries first, what that says, and what it leads to."""

    name: str
    file: str
    text: object
    first: str
    said: str
    then: str = ""
    answer: str = ""


def make_lines(head, rows):
    """Return the text of a CSV file."""
    return "\n".join([head, *rows, ""])


def make_json_lines(rows):
    """Return the text of a file with a JSON object on each line."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def make_epochs(epochs, prompts=("short", "long"), questions=60):
    """Return rewards of prompts on questions whose answers never change."""
    luck = random.Random(5)
    hard = {(prompt, k): luck.random() < 0.06 for prompt in prompts for k in range(questions)}
    return [
        {"prompt": prompt, "question": k, "epoch": epoch, "passed": not hard[prompt, k]}
        for prompt in prompts
        for k in range(questions)
        for epoch in range(epochs)
    ]


def make_users(visits):
    """Return a row for each visit of a user to a page."""
    luck = random.Random(6)
    rows = []
    for page in ("old", "new"):
        for user in range(80):
            buys = luck.random() < {"old": 0.1, "new": 0.6}[page]
            rows += [f"{page},{page}{user},{int(buys)}"] * visits
    return rows


def make_promptfoo(repeats):
    """Return an export of promptfoo, in the form of its version 3."""
    rows = [
        {
            "id": f"r{prompt}{case}{repeat}",
            "success": case % 12 > 0,
            "failureReason": 0 if case % 12 else 1,
            "provider": {"id": "model"},
            "prompt": {"raw": f"prompt {prompt}", "label": f"prompt {prompt}"},
            "testCase": {"vars": {"q": f"question {case}"}, "assert": []},
            "response": {"output": "x"},
        }
        for prompt in range(2)
        for case in range(60)
        for repeat in range(repeats)
    ]
    return json.dumps({"evalId": "eval-1", "results": {"version": 3, "results": rows}})


SHOP = make_lines("variant,visits,orders", ["old,4000,60", "new,4100,190", "none,900,4"])
RATINGS = make_lines(
    "prompt,rating", [f"{p},{r}" for p, all_ in (("a", 4455), ("b", 1223)) for r in str(all_) * 30]
)
SECONDS = make_lines(
    "agent,seconds", [f"{a},{s}" for a, s in (("quick", 2), ("slow", 10)) for _ in range(150)]
)
SCORES = [{"prompt": "a", "score": 1 + k % 5} for k in range(60)]

TASKS = [
    Task(
        "a name that is not known",
        "t.csv",
        SHOP.replace("variant", "page"),
        "--threshold .03",
        "--column arm=page",
        "--threshold .03 --column arm=page",
        "1 good, 2 bad",
    ),
    Task(
        "german",
        "t.csv",
        "Variante;Besuche;Käufe\nA;12.480;312\nB;12.514;484\n",
        "--threshold 0,03",
        "--column",
        "--threshold 0,03 --column arm=Variante --column pulls=Besuche --column successes=Käufe",
        "1 good, 1 bad",
    ),
    Task("percent as threshold", "t.csv", SHOP, "--threshold 3%", "1 good, 2 bad"),
    Task("percent without sign", "t.csv", SHOP, "--threshold 3", "0.03"),
    Task(
        "rates",
        "t.csv",
        "variant,visits,rate\na,400,2.5%\nb,400,9.5%\n",
        "--threshold 5%",
        "1 good",
    ),
    Task(
        "rounded rates",
        "t.csv",
        "variant,visits,rate\na,15140,3.90%\n",
        "--threshold 5%",
        "successes",
    ),
    Task(
        "days",
        "t.csv",
        make_lines("variant,visits,orders", ["a,500,40", "b,500,5"] * 4),
        "--threshold .03",
        "--sum",
        "--threshold .03 --sum",
        "1 good, 1 bad",
    ),
    Task("total row", "t.csv", SHOP + "total,9000,284\n", "--threshold .03", "--keep-total"),
    Task(
        "too many successes",
        "t.csv",
        "variant,visits,orders\na,10,12\n",
        "--threshold .03",
        "from 0 to the arm's pulls, 10",
    ),
    Task("no rows", "t.csv", "variant,visits,orders\n", "--threshold .03", "at least one"),
    Task("arm without pulls", "t.csv", SHOP + "later,0,0\n", "--threshold .03", "1 undecided"),
    Task(
        "threshold of each row",
        "t.csv",
        "variant,visits,orders,goal\na,4000,60,.005\nb,4000,60,.05\n",
        "--threshold .03",
        "2 bad",
        "--threshold-column goal",
        "1 good, 1 bad",
    ),
    Task("confidence as delta", "t.csv", SHOP, "--threshold .03 --delta .95", "0.05"),
    Task(
        "rewards row by row",
        "t.csv",
        make_lines("prompt,passed", ["a,1"] * 60 + ["b,0"] * 60),
        "--threshold .8",
        "--raw",
        "--threshold .8 --raw",
        "1 good, 1 bad",
    ),
    Task(
        "words",
        "t.csv",
        make_lines("prompt,passed", ["a,yes"] * 60 + ["b,no"] * 60),
        "--threshold .8 --raw",
        "1 good, 1 bad",
    ),
    Task(
        "ratings under 0/1",
        "t.csv",
        RATINGS,
        "--threshold 3.5 --raw",
        "--rewards bounded",
        "--threshold 3.5 --raw --rewards bounded --low 1 --high 5 --column reward=rating",
        "1 good, 1 bad",
    ),
    Task(
        "a range too narrow",
        "t.csv",
        RATINGS,
        "--threshold 2 --raw --rewards bounded --low 1 --high 4 --column reward=rating",
        "4",
    ),
    Task(
        "ratings under gaussian",
        "t.csv",
        RATINGS,
        "--threshold 3.5 --raw --rewards gaussian --sigma 1.5 --column reward=rating",
        "look as if they had limits",
    ),
    Task(
        "wide",
        "t.csv",
        make_lines("user,old,new", [f"u{k},0,1" for k in range(60)]),
        "--threshold .5",
        "--wide",
        "--threshold .5 --wide all",
        "1 good, 1 bad",
    ),
    Task(
        "users who come back",
        "t.csv",
        make_lines("page,user_id,bought", make_users(4)),
        "--threshold .3 --raw --column arm=page --column reward=bought",
        "--unit user_id",
        "--threshold .3 --raw --column arm=page --column reward=bought --unit user_id",
        "1 good, 1 bad",
    ),
    Task(
        "epochs",
        "t.csv",
        make_lines(
            "prompt,question,passed",
            [f"{r['prompt']},{r['question']},{r['passed']:d}" for r in make_epochs(5)],
        ),
        "--threshold .8 --raw",
        "--unit question",
        "--threshold .6 --raw --unit question",
        "2 good",
    ),
    Task(
        "retries until it passes",
        "t.csv",
        make_lines(
            "prompt,question,passed",
            [f"a,{k},{v}" for k in range(60) for v in ([0, 1] if k % 3 else [1])],
        ),
        "--threshold .5 --raw --unit question",
        "retry until it passes",
    ),
    Task(
        "logs by line",
        "t.jsonl",
        make_json_lines(make_epochs(1)),
        "--threshold .6 --from jsonl --by prompt",
        "2 good",
    ),
    Task(
        "epochs in logs",
        "t.jsonl",
        make_json_lines(make_epochs(5)),
        "--threshold .8 --from jsonl --by prompt",
        "--unit question",
        "--threshold .6 --from jsonl --by prompt --unit question",
        "2 good",
    ),
    Task(
        "scores of a judge",
        "t.jsonl",
        make_json_lines(SCORES),
        "--threshold .8 --from jsonl --by prompt --score score",
        "choose, before looking",
        "--threshold .5 --from jsonl --by prompt --score score --pass-at 4",
        "1 arm at",
    ),
    Task(
        "promptfoo as a table",
        "t.json",
        make_promptfoo(1),
        "--threshold .8",
        "--from promptfoo",
        "--threshold .6 --from promptfoo",
        "2 good",
    ),
    Task(
        "promptfoo repeats",
        "t.json",
        make_promptfoo(3),
        "--threshold .6 --from promptfoo",
        "--unit test",
        "--threshold .8 --from promptfoo --unit test",
        "2 arms at",
    ),
    Task(
        "a fixed set of cases",
        "t.json",
        make_promptfoo(1),
        "--threshold .8 --from promptfoo --pool 60",
        "2 good",
    ),
    Task(
        "junit",
        "t.xml",
        "<testsuite name='s'>" + "<testcase classname='s' name='t'/>" * 60 + "</testsuite>",
        "--threshold .9 --from junit",
        "--repeats",
        "--threshold .9 --from junit --repeats attempts",
        "1 good",
    ),
    Task(
        "one look",
        "t.csv",
        "variant,visits,orders\na,100,92\nb,100,60\n",
        "--threshold .8 --looks once",
        "1 good, 1 bad",
    ),
    Task(
        "seconds",
        "t.csv",
        SECONDS,
        "--threshold 5 --raw --rewards bounded --high 60 --column arm=agent "
        "--column reward=seconds",
        "1 good, 1 bad",
    ),
    Task("a file that is not there", "other.csv", "", "--threshold .8 missing.csv", "missing.csv"),
    Task(
        "look again tomorrow",
        "t.csv",
        SHOP,
        "--threshold .03 --memory memory.json",
        "1 good, 2 bad",
        "--threshold .03 --memory memory.json",
        "1 good, 2 bad",
    ),
]


def call(file, options):
    """Run `goodarm check` on a file; return exit code, and all that it prints on a line."""
    paths = [] if "missing" in options else [file]
    found = CliRunner().invoke(app, ["check", *paths, *options.split()])
    return found.exit_code, " ".join((found.stdout + found.stderr).split())


@pytest.mark.parametrize("task", TASKS, ids=[task.name for task in TASKS])
def test_it_ends_in_an_answer_or_a_sentence_that_helps(task, tmp_path, monkeypatch):
    """The first try says what the task expects; what it advises leads to the answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / task.file).write_text(task.text, encoding="utf-8")
    code, printed = call(task.file, task.first)
    assert task.said in printed
    assert code in (0, 1, 2, 3)
    assert "Traceback" not in printed
    if task.then:
        code, printed = call(task.file, task.then)
        assert task.answer in printed
        assert code in (0, 1, 3)


def test_there_are_33():
    """Names are distinct, so that a failure names its task."""
    assert len({task.name for task in TASKS}) == len(TASKS) == 33
