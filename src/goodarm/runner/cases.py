"""Reader for a file of cases, one on each line."""

from pathlib import Path

from goodarm.errors import SpecError

Cases = tuple[str, ...]


def read_cases(path: Path) -> Cases:
    """Return the lines of a file that are not blank, in order, without line ends."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _make_case_file_error(
            path, f"The file of cases {path} must be text in UTF-8."
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise _make_case_file_error(
            path, f"The file of cases {path} cannot be read: {reason}."
        ) from None
    cases = tuple(line.rstrip("\r") for line in text.split("\n") if line.strip())
    if not cases:
        remedy = "Write one case per line."
        raise _make_case_file_error(path, f"The file of cases {path} is empty.", remedy)
    for number, case in enumerate(cases):
        if "\0" in case:
            what = f"Case {number} in {path} has a null character, which is not allowed."
            raise _make_case_file_error(path, what)
    return cases


def _make_case_file_error(path: Path, what: str, remedy: str = "") -> SpecError:
    return SpecError(
        what,
        argument="cases",
        owner="the file",
        rule="be the path of a text with a case on each line",
        value=str(path),
        remedy=remedy,
    )
