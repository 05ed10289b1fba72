"""All commands but those on tables and stores: ``plan``, ``simulate``, ``run``, ``--help``, ..."""

from pathlib import Path

from corpus_cases.case import read_calls, slug_of
from corpus_cases.command_line import command, named
from corpus_cases.process import START

COMMANDS = (
    *(
        "",
        "check",
        "plan",
        "experiments",
        "show",
        "verify",
        "run",
        "simulate",
        "reproduce",
        "serve",
    ),
    *("demo", "compile", "export", "import", "upgrade", "token", "token create", "token list"),
    *("token revoke", "algorithms", "datasets", "datasets rebuild"),
)
AT = "--threshold .5 --delta .05"
PLANS = read_calls("plans")
SIMULATIONS = read_calls("simulations")
WRONG = read_calls("refused_commands")
RUN = """arms = ["tin", "brass", "copper"]
threshold = 0.6
delta = 0.05
seed = 3

[reward]
command = "{command}"
"""
BY_PULL = (
    "case $GOODARM_ARM in tin) exit 1;; brass) exit 0;; *) exit $((GOODARM_PULL % 5 == 0));; esac"
)
RUN_FILES = {
    "coins": RUN.format(command=BY_PULL),
    "pool": RUN.format(command="[ $GOODARM_CASE -lt 27 ]").replace("seed", "cases = 30\nseed"),
    "number": RUN.format(command="echo $((GOODARM_PULL % 4))").replace(
        "seed = 3", 'rewards = "bounded"\nlow = 0\nhigh = 3\nmax_pulls = 12\nseed = 3'
    )
    + 'result = "number"\n',
    "capped": RUN.format(command="exit 0").replace("seed = 3", "max_pulls = 6\nseed = 3"),
    "first": RUN.format(command="exit 0").replace("seed = 3", "until = 1\nseed = 3"),
}
WRONG_RUN_FILES = {
    "empty": "",
    "no-toml": "arms = [",
    "no-arms": RUN.format(command="true").replace('arms = ["tin", "brass", "copper"]\n', ""),
    "no-threshold": RUN.format(command="true").replace("threshold = 0.6\n", ""),
    "no-reward": RUN.split("[reward]")[0],
    "no-command": RUN.split("command")[0],
    "unknown-key": "thresold = 1\n" + RUN.format(command="true"),
    "unknown-reward-key": RUN.format(command="true") + "timout = 3\n",
    "both": RUN.format(command="true") + 'function = "x:y"\n',
    "no-module": RUN.format(command="true").replace('command = "true"', 'function = "none:y"'),
    "not-there": RUN.format(command="/no/such/program"),
    "no-number": RUN.format(command="true") + 'result = "number"\n',
    "bad-result": RUN.format(command="true") + 'result = "some"\n',
    "bad-timeout": RUN.format(command="true") + "timeout = -1\n",
    "bad-on-error": RUN.format(command="true") + 'on_error = "some"\n',
    "quoted-arm": RUN.format(command="echo '{arm}'"),
    "bad-algorithm": 'algorithm = "some"\n' + RUN.format(command="true"),
    "bad-silence": RUN.format(command="true") + '[silence]\nmeaning = "some"\n',
    "bad-store": 'store = "some"\n' + RUN.format(command="true"),
    "bad-name": 'name = "a b"\n' + RUN.format(command="true"),
    "percent-delta": RUN.format(command="true").replace("0.05", "95"),
    "no-cases": 'cases = "none.txt"\n' + RUN.format(command="true"),
}


def cases():
    """Yield calls of all commands but those on tables and stores."""
    yield command("commands/version", "--version")
    for name in COMMANDS:
        yield named("commands/help", f"{name} --help")
        yield command(f"commands/help-narrow/{slug_of(name)}", f"{name} --help", width=60)
    Path("samples.csv").write_text(
        "arm,reward\n" + "".join(f"a,{k % 5 / 4}\nb,{k % 7 / 12}\n" for k in range(35))
    )
    for how in ("", "--json"):
        yield named("commands/lists", f"algorithms {how}")
        yield named("commands/lists", f"datasets {how}")
        for asked in PLANS:
            runs = "" if "--budget" in asked else "--runs 40"
            yield named("commands/plan", f"plan {AT} {asked} {runs} --jobs 1 {how}")
        for asked in SIMULATIONS:
            yield named("commands/simulate", f"simulate {AT} {asked} --runs 30 --jobs 1 {how}")
    yield command("commands/plan/narrow", f"plan {AT} --means .7,.4 --runs 40 --jobs 1", width=60)
    call = f"plan {AT} --num-arms 3 --distance .2 --runs 20 --jobs 1 --plot plan.svg"
    yield command("commands/plan/picture", call, files=["plan.svg"])
    for call in WRONG:
        yield named("commands/refused", call)
    yield from _reproductions()
    yield from _runs()
    yield from _tokens()


def _reproductions():
    for how in ("", "--json"):
        call = f"reproduce synthetic --runs 2 --jobs 1 --out reproduced {how}"
        yield named("commands/reproduce", call)
    yield command(
        "commands/reproduce/narrow",
        "reproduce synthetic --runs 2 --jobs 1 --out reproduced",
        width=60,
    )
    call = "reproduce --paper goodarm --runs 2 --jobs 1 --out ours --algorithm e-hdoc --json"
    yield named("commands/reproduce", call)
    yield command(
        "commands/reproduce/files",
        "reproduce synthetic --runs 2 --jobs 1 --out written",
        files=["written"],
    )


def _runs():
    for name, text in RUN_FILES.items():
        Path(f"{name}.toml").write_text(text)
        yield command(f"commands/run/{name}", f"run {name}.toml --quiet")
        yield command(f"commands/run/{name}-again", f"run {name}.toml --quiet --json")
        yield command(
            f"commands/run/{name}-journal",
            f"export sqlite:///{name}.db {name} {name}.jsonl",
            files=[f"{name}.jsonl"],
        )
    Path("judge.py").write_text("def passes(arm):\n    return arm != 'tin'\n")
    text = RUN.format(command="x").replace('command = "x"', 'function = "judge:passes"')
    Path("function.toml").write_text(text)
    yield command("commands/run/function", "run function.toml --quiet --json")
    yield command("commands/run/function-fail-on", "run function.toml --quiet --fail-on none")
    yield command("commands/run/init", "run example.toml --init", files=["example.toml"])
    yield command("commands/run/init-again", "run example.toml --init")
    for name, text in WRONG_RUN_FILES.items():
        Path(f"wrong-{name}.toml").write_text(text)
        yield command(f"commands/run-refused/{name}", f"run wrong-{name}.toml --quiet")
    Path("coins.toml").write_text(RUN_FILES["coins"].replace("0.6", "0.7"))
    yield command("commands/run-refused/changed", "run coins.toml --quiet")


def _tokens():
    url = "sqlite:///tokens.db"
    yield command("commands/token/first", f"token create {url} --name me --scope admin")
    yield command(
        "commands/token/workers",
        f"token create {url} --name w --scope run --pattern 'team-*' --days 90",
        at=START + 60,
    )
    yield command("commands/token/list", f"token list {url}")
    yield command("commands/token/list-later", f"token list {url}", at=START + 100 * 86400)
    for wrong in (
        *("--name '' --scope run", "--name me --scope run", "--name x --scope run --days 0"),
        *("--name y --scope run --pattern '['", "--name z"),
    ):
        yield named("commands/token-refused", f"token create {url} {wrong}")
    yield command("commands/token/revoke-none", f"token revoke {url} none")
