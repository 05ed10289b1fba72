"""Checks of rules of both kinds as objects: their name, their settings, their copies."""

import copy
import json
import pickle
from typing import TypeVar

from goodarm.algorithm import Algorithm, IdentificationRule, SamplingRule
from goodarm.testing.report import expect, report_failure

Rule = TypeVar("Rule", SamplingRule, IdentificationRule)

AS_OBJECT = "its name is its own; copies, pickles and JSON give the same rule back"


def check_object(rule: Rule) -> None:
    """Check that the name is the rule's own, and that copies and documents make the same rule."""
    with report_failure("The rule cannot be part of an Algorithm"):
        make_algorithm(rule)
    for how, again in make_copies(rule).items():
        expect(again == rule, f"The {rule.name} rule {how} must equal the rule; got {again!r}.")
        with report_failure(f"The {rule.name} rule must have a hash, as frozen dataclasses do"):
            same = hash(again) == hash(rule)
        expect(same, f"The {rule.name} rule {how} must have the hash of the rule.")
    _check_document(rule)


def make_algorithm(rule: SamplingRule | IdentificationRule) -> Algorithm:
    """Return an algorithm of the rule and one of goodarm's own."""
    if isinstance(rule, SamplingRule):
        return Algorithm(sampling=rule, identification="mixture")
    return Algorithm(sampling="hdoc", identification=rule)


def make_copies(rule: Rule) -> dict[str, Rule]:
    """Return copies of the rule, by how they were made."""
    with report_failure(
        f"The {rule.name} rule must be one that pickle takes, for worker processes"
    ):
        pickled = pickle.loads(pickle.dumps(rule))
    with report_failure(f"The {rule.name} rule must be one that can be copied"):
        return {"copied": copy.copy(rule), "copied deeply": copy.deepcopy(rule), "pickled": pickled}


def _check_document(rule: Rule) -> None:
    with report_failure(f"The to_dict of the {rule.name} rule must be JSON"):
        document = rule.to_dict()
        read = json.loads(json.dumps(document, allow_nan=False))
    expect(
        read == document,
        f"The to_dict of the {rule.name} rule must stay the same in JSON (write lists, not "
        f"tuples): {document!r} came back as {read!r}.",
    )
    settings = {key: value for key, value in read.items() if key != "rule"}
    expect(read.get("rule") == rule.name, f"The to_dict of the {rule.name} rule must name it.")
    with report_failure(
        f"{type(rule).__name__} must take the settings of its to_dict, {settings!r}"
    ):
        again = type(rule)(**settings)
    expect(
        again == rule,
        f"The settings in the to_dict of the {rule.name} rule must make the same rule again; "
        f"{settings!r} made {again!r}.",
    )
