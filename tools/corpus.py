"""Record what goodarm prints, writes and answers for many inputs, and compare two recordings.

    python tools/corpus.py record FOLDER       # one file per case: call, exit code, output
    python tools/corpus.py compare OLD NEW     # the cases that differ, grouped, with their diffs

The goodarm that Python imports is the one recorded: set PYTHONPATH to the ``src`` folder of another
checkout to record another commit. Cases use the command line, the documented Python API and HTTP;
where a public name was renamed, ``corpus_cases.library`` tries both names.

Everything runs in one process with a fixed clock, fixed seeds and PYTHONHASHSEED=0.
``corpus_cases.normaliser`` lists what is replaced in the outputs: values drawn from ``secrets``,
what is signed with them, measured durations, addresses in memory, and folders of this machine.
"""

import argparse
import difflib
import json
import os
import re
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_DIFF_LINES = 30
MAX_LINE_CHARACTERS = 220
MAX_CASES_NAMED = 8


def record(folder: Path, prefix: str) -> int:
    """Run the cases whose names begin with a prefix, and write one file for each."""
    if folder.exists() and any(folder.iterdir()):
        print(f"{folder} must be empty or new. Delete it, or name another folder.", file=sys.stderr)
        return 2
    from corpus_cases import all_cases, prepared_process

    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    refusals = failures = 0
    with prepared_process() as normalise:
        for case in all_cases(prefix):
            path = folder / f"{case.name}.txt"
            if path.exists():
                raise RuntimeError(f"two cases are called {case.name!r}")
            path.parent.mkdir(parents=True, exist_ok=True)
            outcome = _run(case)
            text = normalise(f"{case.call}\n{outcome.text}")
            path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
            counts[case.name.split("/")[0]] += 1
            refusals += outcome.is_refusal
            failures += outcome.text.startswith("--- failure of the case")
    used = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime + children.ru_utime + children.ru_stime
    for group, count in sorted(counts.items()):
        print(f"{group:<14}{count:>6}")
    total = sum(counts.values())
    print(f"{'in all':<14}{total:>6}, of which {refusals} refused; {seconds:.0f} s of CPU")
    if failures:
        print(f"{failures} cases failed themselves: add renamed names to corpus_cases/library.py")
    return 0


def _run(case: Any) -> Any:
    """Run a case; if the case itself fails, as by a name that is gone, that is its outcome."""
    from corpus_cases.case import Outcome

    try:
        return case.run()
    except Exception as error:
        return Outcome(f"--- failure of the case\n{type(error).__name__}: {error}\n")


def compare(old: Path, new: Path) -> int:
    """Print the cases that differ between two recordings; return 1 if there are any."""
    texts = [
        {str(path.relative_to(folder))[:-4]: _read(path) for path in sorted(folder.rglob("*.txt"))}
        for folder in (old, new)
    ]
    before, after = texts
    for title, names in (
        ("only in the old recording", [*before.keys() - after.keys()]),
        ("only in the new recording", [*after.keys() - before.keys()]),
    ):
        if names:
            print(f"{len(names)} cases {title}: {_named(sorted(names))}\n")
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    shared = sorted(before.keys() & after.keys())
    for name in shared:
        if before[name] != after[name]:
            groups[_kind_of(before[name], after[name])].append(name)
    kinds = Counter(kind for kind, _ in groups for _ in groups[kind, _])
    ordered = sorted(groups.items(), key=lambda each: (each[0][0], -len(each[1]), each[1]))
    for number, ((kind, _), names) in enumerate(ordered, 1):
        print(f"[{number}] {kind}: {len(names)} cases: {_named(names)}")
        _print_diff(before[names[0]], after[names[0]])
        print()
    differing = sum(map(len, groups.values()))
    lone = len(before.keys() ^ after.keys())
    for kind, count in sorted(kinds.items()):
        print(f"{kind:<28}{count:>6} cases")
    print(
        f"{len(shared)} cases compared: {len(shared) - differing} equal, {differing} differ in "
        f"{len(groups)} ways; {lone} in one recording only"
    )
    return 1 if differing or lone else 0


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _named(names: list[str]) -> str:
    rest = f" and {len(names) - MAX_CASES_NAMED} more" if len(names) > MAX_CASES_NAMED else ""
    return ", ".join(names[:MAX_CASES_NAMED]) + rest


def _kind_of(old: str, new: str) -> tuple[str, tuple[str, ...]]:
    """Return the parts that differ, and the changed words, by which like differences are joined."""
    parts = [
        name
        for name in (*_parts(old), *(_parts(new).keys() - _parts(old).keys()))
        if _parts(old).get(name) != _parts(new).get(name)
    ]
    changes = _changed_words(_expanded(old), _expanded(new))
    masked = {re.sub(r"'[^']*'|[0-9][0-9.e+,]*", "*", change) for change in changes}
    return " and ".join(dict.fromkeys(parts)), tuple(sorted(masked))


def _changed_words(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the words that another text has in the place of others, or whole lines."""
    for kind, i, i_end, j, j_end in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind == "replace" and i_end - i == j_end - j:
            for line, other in zip(old[i:i_end], new[j:j_end], strict=True):
                words, others = line.split(), other.split()
                for part in difflib.SequenceMatcher(None, words, others).get_opcodes():
                    if part[0] != "equal":
                        before, after = words[part[1] : part[2]], others[part[3] : part[4]]
                        yield f"{' '.join(before)} -> {' '.join(after)}"
        elif kind != "equal":
            yield from (f"-{line}" for line in old[i:i_end])
            yield from (f"+{line}" for line in new[j:j_end])


def _parts(text: str) -> dict[str, str]:
    """Return the call, the exit code or status, and each stream, by name."""
    found: dict[str, str] = {}
    name = "call"
    for line in text.split("\n"):
        if line.startswith("--- "):
            name = line[4:]
        elif name in ("call", "code") and line.startswith(("exit: ", "status: ")):
            name = "code"
        found[name] = found.get(name, "") + line + "\n"
    return found


def _expanded(text: str) -> list[str]:
    """Return the lines of a text; a long line of JSON as one line per value."""
    lines = []
    for line in text.split("\n"):
        if len(line) > 80 and line[:1] in "{[":
            try:
                lines += json.dumps(json.loads(line), indent=1, ensure_ascii=False).split("\n")
                continue
            except ValueError:
                pass
        lines.append(line)
    return lines


def _print_diff(old: str, new: str) -> None:
    lines = list(difflib.unified_diff(_expanded(old), _expanded(new), lineterm="", n=1))[2:]
    for line in lines[:MAX_DIFF_LINES]:
        cut = line[:MAX_LINE_CHARACTERS]
        print(f"    {cut}{' ...' if len(line) > len(cut) else ''}")
    if len(lines) > MAX_DIFF_LINES:
        print(f"    ... {len(lines) - MAX_DIFF_LINES} more lines")


def main() -> int:
    """Read the command line and run a command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run all cases and write their outputs")
    recording.add_argument("folder", type=Path, help="a new or empty folder")
    recording.add_argument(
        "--only", default="", metavar="PREFIX", help="cases whose names begin so"
    )
    comparing = commands.add_parser("compare", help="print what differs between two recordings")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    asked = parser.parse_args()
    if asked.command == "compare":
        return compare(asked.old, asked.new)
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets must not differ
        variables = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.argv], variables)
    return record(asked.folder, asked.only)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of a service may still be waiting
