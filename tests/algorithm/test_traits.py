"""What engines assume of a rule is declared by the rule; codes have no order and one dispatch."""

import ast
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import goodarm as ga
from goodarm.algorithm import SAMPLING_RULES, BoundRule, IndexRule, WealthRule
from goodarm.kernels import codes
from simulation.first_difference import run_both

SOURCE = Path(ga.__file__).parent
RULE_CODES = {
    name
    for name, value in vars(codes).items()
    if name.isupper() and value in (*codes.INDICES, *codes.BOUNDS, *codes.BETS, codes.NO_CODE)
    if name not in ("BERNOULLI", "BOUNDED", "GAUSSIAN", "GOOD", "BAD", "UNDECIDED")
}
NEXT_FREE = {
    "index": max(codes.INDICES) + 1,
    "bound": max(codes.BOUNDS + codes.BETS) + 1,
    "bets": max(codes.BOUNDS + codes.BETS) + 1,
}


def names_in(node):
    return {getattr(part, "attr", getattr(part, "id", None)) for part in ast.walk(node)}


def find_comparisons():
    """All comparisons in the package: their file, their node and the names in them."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                yield path.relative_to(SOURCE).as_posix(), node, names_in(node)


def test_codes_are_compared_in_the_dispatch_alone_and_for_equality():
    about_rules = RULE_CODES | {"sampling", "identification"}
    found = list(find_comparisons())
    assert {path for path, _, names in found if names & RULE_CODES} == {"kernels/dispatch.py"}
    for path, node, names in found:
        if names & about_rules:
            ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
            assert not any(isinstance(sign, ordered) for sign in node.ops), (path, node.lineno)


def list_codes(tuple_name):
    """The names in one of the tuples of codes."""
    tree = ast.parse(Path(codes.__file__).read_text(encoding="utf-8"))
    assigned = (node for node in tree.body if isinstance(node, ast.AnnAssign))
    (found,) = (node.value for node in assigned if node.target.id == tuple_name)
    return names_in(found) - {None}


def find_branches():
    """The codes that each function of the dispatch compares with."""
    tree = ast.parse((SOURCE / "kernels/dispatch.py").read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {
        function.name: set().union(
            *(names_in(node) for node in ast.walk(function) if isinstance(node, ast.Compare))
        )
        for function in functions
    }


@pytest.mark.parametrize("rule", SAMPLING_RULES.values(), ids=SAMPLING_RULES)
def test_every_index_has_its_branches(rule):
    (name,) = (name for name in list_codes("INDICES") if getattr(codes, name) == rule.code)
    wanted = {"index_parts"} if rule.is_linear else {"nonlinear_index"}
    wanted |= {"index_clock"} if rule.is_linear and rule.has_clock else set()
    missing = sorted(function for function in wanted if name not in find_branches()[function])
    assert not missing, f"{rule.name}: no branch for {name} in {missing} of kernels/dispatch.py"


@pytest.mark.parametrize(("function", "codes_of"), [("bound", "BOUNDS"), ("bet", "BETS")])
def test_every_bound_and_every_bet_has_its_branch(function, codes_of):
    missing = list_codes(codes_of) - find_branches()[function]
    assert not missing, f"no branch for {missing} in {function} of kernels/dispatch.py"


def test_every_code_stands_once():
    assert len(RULE_CODES) == len(codes.INDICES) + len(codes.BOUNDS) + len(codes.BETS) + 1
    assert len({*codes.BOUNDS, *codes.BETS, codes.NO_CODE}) == len(codes.BOUNDS + codes.BETS) + 1


def test_an_index_rule_without_branches_is_refused():
    code = NEXT_FREE["index"]
    message = rf"'code' of the mine rule must be one of .*; got {code}"
    with pytest.raises(ga.errors.SpecError, match=message):
        IndexRule("mine", code, "", "")


@pytest.mark.parametrize("kind", ["bound", "bets"])
def test_bounds_and_bets_without_a_branch_are_refused(kind):
    class Bound(BoundRule):
        name: ClassVar[str] = "mine"
        code: ClassVar[int] = NEXT_FREE["bound"]

    class Bets(WealthRule):
        name: ClassVar[str] = "mine"
        code: ClassVar[int] = NEXT_FREE["bets"]

        def bets(self, setup):
            return np.zeros((2, 3))

    rule = {"bound": Bound, "bets": Bets}[kind]()
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    message = rf"'code' of the mine rule must be one of .*; got {NEXT_FREE[kind]}"
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, runs=1)
    with pytest.raises(ga.errors.SpecError, match="make it a CountsRule"):
        ga.Identifier(ga.Problem(2, 0.5, 0.05), algorithm)


@dataclass(frozen=True)
class OneBet(ga.rules.CountsRule):
    """One gambler on each side who bets half of what could ruin: a supermartingale each."""

    name: ClassVar[str] = "one-bet"
    has_e_values: ClassVar[bool] = True

    part: float = 0.5

    def log_good(self, n, s, bar):
        won = np.log1p(self.part / bar * (1.0 - bar))
        return s * won + (n - s) * np.log1p(-self.part)

    def log_bad(self, n, s, bar):
        return self.log_good(n, n - s, 1.0 - bar)


@pytest.mark.parametrize("sampling", SAMPLING_RULES)
def test_a_rule_on_counts_works_in_both_engines_and_in_ask_and_tell(sampling):
    means = [0.9, 0.75, 0.2, 0.35]
    algorithm = ga.Algorithm(sampling=sampling, identification=OneBet())
    fast, _ = run_both(means, 0.5, 0.05, algorithm, runs=10)
    assert not fast.wrong.any()
    ident = ga.Identifier(ga.Problem(4, 0.5, 0.05), algorithm)
    tape = ga.simulation.Tape(ident.problem, means, seed=0)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
    assert ident.pulls == fast.stop[0]
    report = ident.explain(0)
    assert report.label == "good"
    assert 0.5 <= report.lower <= report.mean <= report.upper <= 1.0
    assert report.e_good >= 80.0


def test_a_rule_on_counts_is_for_zero_and_one_unless_it_says_more():
    algorithm = ga.Algorithm(sampling="hdoc", identification=OneBet())
    with pytest.raises(ga.errors.SpecError, match="one-bet rule is for rewards of 0 or 1"):
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, rewards="bounded")


def test_an_index_that_need_not_fall_is_no_matter_for_the_fast_engine(monkeypatch):
    wild = replace(SAMPLING_RULES["hdoc"], name="wild", falls_on_failure=False)
    monkeypatch.setitem(SAMPLING_RULES, "wild", wild)
    algorithm = ga.Algorithm(sampling="wild", identification="hoeffding")
    assert (
        ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, runs=2).engine
        == "reference"
    )
    with pytest.raises(
        ga.errors.SpecError, match="'engine' of simulate must be 'reference' or 'auto'"
    ):
        ga.simulate(
            [0.9, 0.1], threshold=0.5, delta=0.05, algorithm=algorithm, runs=2, engine="fast"
        )
