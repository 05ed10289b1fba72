"""Child process that calls the user's function, once for each task: ``python -m`` this module.

It reads tasks as JSON, one on each line, and answers each with a line. What the function prints
goes to standard error, so that it does not mix with the answers.
"""

import asyncio
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from numbers import Real
from typing import Any


def main() -> None:
    """Answer tasks until standard input ends."""
    tasks = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    name, has_cases = sys.argv[1], sys.argv[2] == "cases"
    function, problem = find_function(name, has_cases)
    _answer(answers, {"error": problem} if function is None else {"ready": True})
    if function is None:
        return
    for line in tasks:
        task = json.loads(line)
        os.environ.update(task["variables"])
        given = (task["arm"], task["case"]) if has_cases else (task["arm"],)
        _answer(answers, call_function(function, given))


def find_function(name: str, has_cases: bool) -> tuple[Callable[..., Any] | None, str]:
    """Import a function by its name. Return it, or None and what is wrong with it."""
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module, _, place = name.partition(":")
    try:
        found: Any = import_module(module)
        for part in place.split("."):
            found = getattr(found, part)
    except Exception as error:
        return None, f"the function {name!r} does not load: {_describe_error(error)}"
    if not callable(found):
        return None, f"{name!r} must be a function; it is {found!r}"
    wanted = ("arm", "case") if has_cases else ("arm",)
    try:
        inspect.signature(found).bind(*wanted)
    except TypeError:
        return None, f"the function {name!r} must take ({', '.join(wanted)})"
    except ValueError:  # a function without a signature, as in C
        pass
    return found, ""


def call_function(function: Callable[..., Any], given: tuple[Any, ...]) -> dict[str, Any]:
    """Call the function and return its answer to a task: a reward, a failure, or an error."""
    try:
        value = function(*given)
        if inspect.isawaitable(value):
            value = asyncio.run(_wait_for_value(value))
    except AssertionError:
        return {"failed": True}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"the function raised {_describe_error(error)}"}
    returned, cost = value, None
    if isinstance(value, tuple) and len(value) == 2:
        value, cost = value
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, Real)):
        return {"error": f"the function must return (reward, cost); it returned {returned!r:.80}"}
    money = {} if cost is None else {"cost": float(cost)}
    if type(value).__name__ == "bool" or isinstance(value, bool):  # numpy's too
        return {"reward": bool(value), **money}
    if isinstance(value, Real):
        return {"reward": float(value), **money}
    return {"error": f"the function must return a number; it returned {returned!r:.80}"}


async def _wait_for_value(value: Any) -> Any:
    return await value


def _describe_error(error: Exception) -> str:
    """Return the last line of a traceback and the line of the user's code it came from."""
    what = traceback.format_exception_only(error)[-1].strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_user_frame(frame)]
    if not frames:
        return what
    last = frames[-1]
    return f"{what} ({os.path.basename(last.filename)}, line {last.lineno})"


def _is_user_frame(frame: traceback.FrameSummary) -> bool:
    return frame.filename != __file__ and "importlib" not in frame.filename


def _answer(answers: Any, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
