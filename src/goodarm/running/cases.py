"""Cases that a file lists, a line each."""

from pathlib import Path

from goodarm.errors import SpecError

Cases = tuple[str, ...]


def read_cases(path: Path) -> Cases:
    """The lines of a file that are not blank, in order, without their ends."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError(f"The file of cases {path} must be text in UTF-8.") from None
    except OSError as error:
        reason = error.strerror or error
        raise SpecError(f"The file of cases {path} cannot be read: {reason}.") from None
    cases = tuple(line.rstrip("\r") for line in text.split("\n") if line.strip())
    if not cases:
        raise SpecError(f"The file of cases {path} is empty. Each of its lines is a case.")
    for number, case in enumerate(cases):
        if "\0" in case:
            raise SpecError(f"Case {number} in {path} has a null character, which no text may.")
    return cases
