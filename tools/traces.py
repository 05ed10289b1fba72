"""Count how much of goodarm five everyday calls pass through, and its lines by package.

    python tools/traces.py             # functions, calls, files and objects of each trace
    python tools/traces.py --list      # and the functions, by file
    python tools/traces.py --lines     # lines and files by package

The goodarm that Python imports is the one counted: set PYTHONPATH to the ``src`` folder of another
checkout to count another commit.

Each trace is made twice, and the second time is counted: modules are loaded and kernels compiled by
then. Counted are Python functions whose code lies in goodarm's own files, in all threads.
Comprehensions, generator expressions and class bodies are no functions; compiled kernels are not
seen. Objects are instances of goodarm's classes that are made during the trace, dataclasses and
named tuples included.
"""

import argparse
import ast
import contextlib
import io
import os
import sys
import tempfile
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

_NO_FUNCTIONS = ("<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_MAKERS = {"__init__": "self", "__new__": "cls", "_make": "cls", "<lambda>": "_cls"}
"""Functions that make objects, and their first arguments; a named tuple's __new__ is a lambda."""
_WARM_UPS = 2


class Trace:
    """Functions, calls, files and objects seen while it is on, in all threads."""

    def __init__(self, folder):
        self._folder, self._is_on, self._last = f"{folder}{os.sep}", False, None
        self.calls, self.objects = Counter(), Counter()

    def install(self):
        """Watch this thread, and those that are started from now on."""
        threading.setprofile(self._watch)
        sys.setprofile(self._watch)

    def remove(self):
        """Watch no more."""
        sys.setprofile(None)
        threading.setprofile(None)

    @contextlib.contextmanager
    def on(self):
        """Count what happens in the block, and nothing from before it."""
        self.calls, self.objects, self._last = Counter(), Counter(), None
        self._is_on = True
        try:
            yield
        finally:
            self._is_on = False

    def _watch(self, frame, event, _):
        if not self._is_on or event != "call":
            return
        code = frame.f_code
        if code.co_name in _MAKERS:
            self._note_object(frame)
        if not code.co_filename.startswith(self._folder) or not code.co_filename.endswith(".py"):
            return
        if code.co_name in _NO_FUNCTIONS or _is_class_body(code):
            return
        place = code.co_filename[len(self._folder) :]
        self.calls[place, getattr(code, "co_qualname", code.co_name), code.co_firstlineno] += 1

    def _note_object(self, frame):
        name, names = frame.f_code.co_name, frame.f_code.co_varnames
        if not names or (name == "<lambda>" and names[0] != _MAKERS[name]):
            return
        made = frame.f_locals.get(names[0])
        kind = type(made) if name == "__init__" else made
        if not isinstance(kind, type) or not kind.__module__.startswith("goodarm"):
            return
        if name == "__init__":
            if self._last is made:  # a base's __init__
                return
            self._last = made
        self.objects[f"{kind.__module__}.{kind.__qualname__}"] += 1

    @property
    def files(self):
        """Return the files that were passed through."""
        return sorted({file for file, _, _ in self.calls})


def _is_class_body(code):
    return (
        "__qualname__" in code.co_names and "__module__" in code.co_names and not code.co_varnames
    )


COUNTS = {"red": (500, 460), "green": (500, 300), "blue": (500, 410)}


def trace_check(trace):
    """Check a table of three arms in Python."""
    from corpus_cases.library import ga

    for _ in range(_WARM_UPS):
        with trace.on():
            table = ga.check(COUNTS, threshold=0.8, delta=0.05)
    assert len(table) == len(COUNTS)


def trace_check_printed(trace):
    """Check a CSV file of three arms, and print the table: ``goodarm check``."""
    rows = "".join(f"{arm},{pulls},{good}\n" for arm, (pulls, good) in COUNTS.items())
    Path("counts.csv").write_text("arm,pulls,successes\n" + rows)
    for _ in range(_WARM_UPS):
        with trace.on():
            code = _run("check", "counts.csv", "--threshold", ".8", "--delta", ".05")
    assert code == 1


def trace_ask_and_tell(trace):
    """Ask an Identifier for a pull, and tell its reward."""
    from corpus_cases.library import ga

    problem = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05)
    ident = ga.Identifier(problem, seed=7)
    for turn in range(60):
        with trace.on():
            pull = ident.ask()
            ident.tell(pull, turn % 2)
    assert ident.pulls == turn + 1


def trace_http_tell(trace):
    """Tell a reward to a service whose store is a file of SQLite."""
    with _served() as (_, client, path):
        for _ in range(20):
            number = client.post(f"{path}/pulls:ask", json={}).json()["pulls"][0]["number"]
            with trace.on():
                answer = client.post(f"{path}/pulls/{number}:tell", json={"reward": 1})
    assert answer.status_code == 200, answer.text


def trace_page(trace):
    """View the page of an experiment, of which a reward was told since the last view."""
    with _served() as (_, client, path):
        for _ in range(8):
            number = client.post(f"{path}/pulls:ask", json={}).json()["pulls"][0]["number"]
            client.post(f"{path}/pulls/{number}:tell", json={"reward": 1})
            with trace.on():
                answer = client.get("/experiments/banners")
    assert answer.status_code == 200, answer.text


def trace_reproduce(trace):
    """Reproduce a paper's smallest instance: ``goodarm reproduce synthetic``, one run."""
    for turn in range(_WARM_UPS):
        with trace.on():
            code = _run(*f"reproduce synthetic --runs 1 --jobs 1 --out out-{turn}".split())
    assert code == 0


TRACES = {
    "a": ("table row: ga.check", trace_check),
    "a2": ("table row: goodarm check FILE", trace_check_printed),
    "b": ("ask and tell: Identifier", trace_ask_and_tell),
    "c": ("stored tell over HTTP", trace_http_tell),
    "d": ("page of an experiment", trace_page),
    "e": ("goodarm reproduce synthetic", trace_reproduce),
}


def _run(*arguments):
    """Run ``goodarm`` in this process; return its exit code, and throw away what it prints."""
    from corpus_cases.command_line import goodarm

    return goodarm(arguments)[0]


@contextlib.contextmanager
def _served():
    from corpus_cases.histories import create
    from corpus_cases.http_calls import API, service_of
    from corpus_cases.library import find_name, ga

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store = stack.enter_context(find_name("open_store")(f"sqlite:///{folder}/traced.db"))
        problem = ga.Problem(["red", "green", "blue"], threshold=0.5, delta=1e-9)
        create(store, "banners", problem)
        _, client = stack.enter_context(service_of(store))
        yield store, client, f"{API}/banners"


def compile_kernels():
    """Compile all kernels now: how long a process interprets them depends on the machine."""
    _run("compile")
    with contextlib.suppress(ImportError, AttributeError):  # where small calls are interpreted
        from goodarm.kernels.compilation import jit

        jit.InterpretingLimits.until_loaded = jit.InterpretingLimits.until_compiled = 0.0


def print_traces(wanted, is_listed):
    """Print the table of traces, and the functions of each if they are wanted."""
    import goodarm

    trace = Trace(Path(goodarm.__file__).parent)
    print(f"{'trace':<34}{'functions':>10}{'calls':>9}{'files':>7}{'objects':>9}{'classes':>9}")
    lists = []
    compile_kernels()
    trace.install()
    try:
        for key in wanted:
            title, make = TRACES[key]
            make(trace)
            made = (sum(trace.calls.values()), len(trace.files), sum(trace.objects.values()))
            numbers = (len(trace.calls), *made, len(trace.objects))
            widths = (10, 9, 7, 9, 9)
            cells = "".join(f"{n:>{w},}" for n, w in zip(numbers, widths, strict=True))
            print(f"{f'({key}) {title}':<34}{cells}", flush=True)
            lists.append(
                (f"({key}) {title}", list(trace.calls.items()), list(trace.objects.items()))
            )
    finally:
        trace.remove()
    if is_listed:
        for title, calls, objects in lists:
            print(f"\n{title}")
            for (file, name, line), count in sorted(calls):
                print(f"  {file}:{line} {name} {count}")
            for name, count in sorted(objects):
                print(f"  object {name} {count}")


def print_lines():
    """Print files and lines of goodarm by package, and of the folders beside its sources."""
    import goodarm

    source = Path(goodarm.__file__).parent
    print(f"{'package':<34}{'files':>7}{'lines':>9}{'of code':>9}")
    groups = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).parts
        groups.setdefault(parts[0] if len(parts) > 1 else "(top)", []).append(path)
    for group, paths in sorted(groups.items()):
        _print_line(group, paths)
        inner = {}
        for path in paths:
            parts = path.relative_to(source).parts
            if len(parts) > 2:
                inner.setdefault("/".join(parts[:-1]), []).append(path)
        for name, some in sorted(inner.items()):
            _print_line(f"  {name}", some)
    _print_line("goodarm", sorted(source.rglob("*.py")))
    for ending in ("html", "css", "js"):
        _print_line(f"goodarm, .{ending}", sorted(source.rglob(f"*.{ending}")))
    root = source.parents[1]
    for folder, ending in (
        *(
            ("tests", "py"),
            ("benchmarks", "py"),
            ("examples", "py"),
            ("tools", "py"),
            ("docs", "md"),
        ),
    ):
        paths = sorted((root / folder).rglob(f"*.{ending}"))
        if paths:
            _print_line(f"{folder}, .{ending}", paths)


def _print_line(name, paths):
    texts = [path.read_text(encoding="utf-8") for path in paths]
    lines = sum(text.count("\n") for text in texts)
    is_python = all(path.suffix == ".py" for path in paths)
    code = f"{sum(map(count_code_lines, texts)):,}" if is_python else ""
    print(f"{name:<34}{len(paths):>7,}{lines:>9,}{code:>9}")


def count_code_lines(text):
    """Count the lines of Python that are neither blank, nor comments, nor docstrings."""
    lines = {k for k, line in enumerate(text.splitlines(), 1) if _has_code(line)}
    for node in ast.walk(ast.parse(text)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def _has_code(line):
    return bool(line.strip()) and not line.lstrip().startswith("#")


def main():
    """Read the command line, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="print the functions of each trace")
    parser.add_argument("--lines", action="store_true", help="print lines and files by package")
    parser.add_argument("--only", default=",".join(TRACES), help="traces, with commas: a,c")
    asked = parser.parse_args()
    if asked.lines:
        print_lines()
        return 0
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
        os.chdir(folder)
        try:
            print_traces(asked.only.split(","), asked.list)
        except BaseException:
            sys.__stderr__.write(said.getvalue())
            raise
        finally:
            os.chdir("/")
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of a service may still be waiting
