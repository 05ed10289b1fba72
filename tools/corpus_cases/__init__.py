"""Cases of ``tools/corpus.py``: calls whose outputs are recorded, by subject.

============ =====================================================================
case         a case and its outcome; calls that are listed in the folder ``calls``
process      fixed clock, remembered randomness, one temporary folder
normaliser   what is replaced in outputs, and why
library      goodarm's public names, old or new
command_line calls of ``goodarm`` in this process
python_call  calls of the Python API
http_calls   requests to a service in this process
tables       ``check``: tables of every form, options, views
refusals     ``check``: tables and options that are refused
logs         other tools' logs
commands     ``plan``, ``simulate``, ``reproduce``, ``run``, ``--help`` and others
histories    random verbs on stored experiments; their journals and commands about them
results      Python: text, HTML and documents of results
arguments    Python: arguments that are refused
service      HTTP: OpenAPI, every GET route, refusals
pages        HTML of the pages, their forms and buttons
============ =====================================================================
"""

from corpus_cases.process import prepared_process

__all__ = ["all_cases", "prepared_process"]


def all_cases(prefix=""):
    """Yield the cases whose names begin with a prefix, in a fixed order."""
    from importlib import import_module

    names = (
        *("tables", "refusals", "logs", "commands", "histories"),
        *("results", "arguments", "service", "pages"),
    )
    for name in names:
        if name.startswith(prefix) or prefix.startswith(name):
            for case in _tolerant(import_module(f"corpus_cases.{name}"), name):
                if case.name.startswith(prefix):
                    yield case


def _tolerant(module, name):
    """Yield the cases of a module; if it fails to go on, a last one that says so."""
    from corpus_cases.case import Case, Outcome

    try:
        yield from module.cases()
    except Exception as error:
        text = f"--- failure of the case\n{type(error).__name__}: {error}\n"
        yield Case(f"{name}/stopped", f"set-up of {name}", lambda: Outcome(text))
