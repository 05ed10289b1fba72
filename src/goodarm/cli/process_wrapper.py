"""Wrapper around every command, so that its exit code can be trusted.

A closed pipe, as in ``goodarm check counts.csv | head -1``, does not change the exit code: the
rest of the output is discarded. Ctrl-C prints what was kept, and exits with 130. An unexpected
error exits with 70, which is not the code of any verdict.
"""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from types import FrameType

EXIT_WRONG_USE: Final = 2
EXIT_CRASH: Final = 70
EXIT_INTERRUPTED: Final = 130

_KEEPING_COMMANDS: Final = ("simulate", "reproduce")
"""Commands that may keep finished runs."""
_kept_folders: list[Path] = []
"""Folders in which the command keeps finished runs."""
_kept_messages: list[str] = []
"""Message on what else was kept."""
_interrupted: list[bool] = []
"""Not empty once Ctrl-C was pressed, even if a library swallowed the exception."""
_output_closed: list[bool] = []
"""Not empty once the reader of an output has closed its end of the pipe."""


def run_command_line(start: Callable[[], None]) -> int:
    """Run the command line and return its exit code, whatever error occurs."""
    _catch_interrupts()
    try:
        _protect_streams()
        start()
        code = 0
    except SystemExit as end:
        code = _exit_code(end.code)
    except BaseException as error:
        code = (
            EXIT_INTERRUPTED
            if is_interrupted(error)
            else report_crash(error, "--debug" in sys.argv)
        )
    return _finish(code)


def register_kept_folder(folder: Path) -> None:
    """Register a folder of finished runs, for the message after Ctrl-C."""
    _kept_folders.append(folder)


def set_kept_message(words: str) -> None:
    """Set the message after Ctrl-C on what was kept; it replaces an earlier one."""
    _kept_messages[:] = [words]


def is_interrupted(error: BaseException | None = None) -> bool:
    """Return whether Ctrl-C was pressed; libraries may have turned it into another error."""
    return bool(_interrupted) or isinstance(error, KeyboardInterrupt)


@contextmanager
def end_on_interrupt() -> Iterator[None]:
    """Take Ctrl-C in the block as its normal end, not as an interruption."""
    try:
        yield
    except KeyboardInterrupt:
        _interrupted.clear()


def is_output_closed() -> bool:
    """Return whether the reader of an output has closed it, so that output is discarded."""
    return bool(_output_closed)


def escape_controls(text: object) -> str:
    """Escape control characters of a text, line by line.

    Like ``goodarm.views.names.visible``, but without an import: the error to show may be that of
    an import, or have interrupted one.
    """
    return "\n".join(
        "".join(sign if sign.isprintable() else _escape_character(sign) for sign in line)
        for line in str(text).split("\n")
    )


def _escape_character(sign: str) -> str:
    return sign.encode("unicode_escape", "backslashreplace").decode("ascii")


def report_crash(error: BaseException, debug: bool) -> int:
    """Report an unexpected error and return the exit code for it."""
    if debug:
        show_trace(error)
    first = str(error).strip().split("\n")[0]
    what = f"{type(error).__name__}: {first}" if first else type(error).__name__
    lines = [f"goodarm: internal error: {escape_controls(what)}"]
    if not debug:
        lines.append("For the traceback, run: goodarm --debug ...")
    _print_error("\n".join(lines))
    return EXIT_CRASH


def show_trace(error: BaseException) -> None:
    """Print the traceback to standard error, with control characters escaped."""
    import traceback

    _print_error(escape_controls("".join(traceback.format_exception(error)).rstrip("\n")))


def _exit_code(code: Any) -> int:
    """Return the exit code of a SystemExit; a text is printed as a message, with code 70."""
    if code is None or isinstance(code, int):
        return code or 0
    _print_error(str(code))
    return EXIT_CRASH


class _PipeSafeFile(io.FileIO):
    """File that discards what is written after its reader has closed the pipe."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _output_closed.append(True)
            _redirect_to_null(self.fileno())
            return len(data)


def _protect_streams() -> None:
    """Make both streams survive a closed pipe, and replace characters that they cannot encode."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="replace")
            continue
        raw = _PipeSafeFile(stream.fileno(), "w", closefd=False)
        patient = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=stream.encoding,
            errors="replace",
            line_buffering=stream.line_buffering,
        )
        setattr(sys, name, patient)


def _redirect_to_null(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _catch_interrupts() -> None:
    """Record Ctrl-C, even if a library swallows it. If the signal is ignored, leave it so."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    signal.signal(signal.SIGINT, _handle_interrupt)
    sys.unraisablehook = _handle_unraisable


def _handle_interrupt(number: int, frame: "FrameType | None") -> NoReturn:
    _interrupted.append(True)
    raise KeyboardInterrupt


def _handle_unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """Handle an error that Python cannot raise, as in a finaliser: for Ctrl-C, exit at once."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        os._exit(_finish(EXIT_INTERRUPTED))
    sys.__unraisablehook__(lost)


def _finish(code: int) -> int:
    """Flush the output and return the exit code; ignore Ctrl-C from here on."""
    if _interrupted:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = EXIT_INTERRUPTED
    elif signal.getsignal(signal.SIGINT) is _handle_interrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = _flush(code)
    if code == EXIT_INTERRUPTED:
        start = "\n" if sys.stderr is not None and sys.stderr.isatty() else ""
        _print_error(f"{start}goodarm: interrupted{_describe_kept()}")
    return code


def _flush(code: int) -> int:
    """Flush standard output; if that fails, as on a full disk, a verdict's exit code becomes 2."""
    if sys.stdout is None:
        return code
    try:
        sys.stdout.flush()
    except OSError as error:
        _redirect_to_null(sys.stdout.fileno())
        if code not in (EXIT_WRONG_USE, EXIT_CRASH, EXIT_INTERRUPTED):
            _print_error(f"goodarm: {error}")
            return EXIT_WRONG_USE
    return code


def _describe_kept() -> str:
    for words in _kept_messages:
        return f"; {escape_controls(words)}. The same command continues."
    for folder in _kept_folders:
        if any(path.stat().st_size for path in folder.rglob("*.jsonl")):
            kept = f"finished runs are kept in {escape_controls(folder)}"
            return f"; {kept}. The same command continues from them."
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return "; nothing was kept." if command in _KEEPING_COMMANDS else "."


def _print_error(text: str) -> None:
    """Print a line to standard error, if it can be written to."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
    except OSError:
        _redirect_to_null(sys.stderr.fileno())
