"""Calls of the Python API, written as expressions."""

import json
import warnings

from corpus_cases.case import Case, Outcome, slug_of
from corpus_cases.library import call_attribute, ga
from corpus_cases.process import clock


def names():
    """Return what expressions may use."""
    import numpy
    import pandas
    import polars

    return {
        "ga": ga,
        "np": numpy,
        "pd": pandas,
        "pl": polars,
        "json": json,
        "observe_many": call_attribute("observe_many"),
        "reports": call_attribute("reports"),
        "table_of": call_attribute("table"),
        "take_out": call_attribute("take_out"),
    }


def python(group, source, name=None, **more):
    """Return the case of an expression: its text, HTML, document, or error."""

    def run():
        clock.set()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                value = eval(source, {**names(), **more})
            except Exception as error:
                return Outcome(f"--- error\n{type(error).__name__}: {error}\n", True)
            text = describe(value)
        kept = [f"{each.category.__name__}: {each.message}" for each in warned]
        return Outcome(text + "".join(f"--- warning\n{line}\n" for line in kept))

    return Case(f"{group}/{name or slug_of(source, 100)}", f">>> {source}", run)


def describe(value):
    """Return a value as text, as HTML and as a document, as far as it has them."""
    text = f"--- text\n{value!r}\n"
    if type(value).__str__ is not object.__str__ and str(value) != repr(value):
        text += f"--- str\n{value}\n"
    if hasattr(value, "_repr_html_"):
        text += f"--- html\n{value._repr_html_()}\n"
    if hasattr(value, "to_dict") and not hasattr(value, "iloc"):
        document = value.to_dict()
        text += f"--- document\n{json.dumps(document, indent=1, default=repr)}\n"
    return text
