r"""Names in braces in a command, such as ``{arm}`` and ``{case}``. Their values are only data.

In a list of words they are replaced within the word, which no shell reads. In a text for the shell
they become references to environment variables, whose values a shell never executes: the names of
arms and the texts of cases are not part of the text that it is given.

>>> fill_shell_text("test {arm} = 'x'", {"arm"})
'test "${GOODARM_ARM}" = \'x\''
>>> fill_shell_text('curl "http://host/{arm}"', {"arm"})
'curl "http://host/${GOODARM_ARM}"'
"""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Final, NoReturn

from goodarm.errors import SpecError

VARIABLES: Final = {
    "arm": "GOODARM_ARM",
    "case": "GOODARM_CASE",
    "case_number": "GOODARM_CASE_NUMBER",
    "pull": "GOODARM_PULL",
    "python": "GOODARM_PYTHON",
}
"""Names that a command may have in braces, and the environment variable of each."""
CASE_VARIABLES: Final = frozenset({"case", "case_number"})
"""Names that exist only with cases."""

_PLACEHOLDER: Final = re.compile(r"\{\{([A-Za-z_]\w*)\}\}|\{([A-Za-z_]\w*)\}")
_OWNER: Final = "[reward]"
_ARITHMETIC_OPENINGS: Final = ("$((", "((")
"""Openings of arithmetic, where some shells evaluate a value and execute commands in it."""


def check_word(word: str, known: Collection[str]) -> None:
    """Raise an error for a name in braces that is not known."""
    for match in _PLACEHOLDER.finditer(word):
        if match[2] is not None:
            _check_name(match[2], known)


def fill_word(word: str, values: Mapping[str, str]) -> str:
    """Replace the names in a word by their values; ``{{arm}}`` stands for the text ``{arm}``.

    >>> fill_word("--arm={arm} {{arm}} {1}", {"arm": "a b"})
    '--arm=a b {arm} {1}'
    """

    def value(match: re.Match[str]) -> str:
        return f"{{{match[1]}}}" if match[2] is None else values[match[2]]

    return _PLACEHOLDER.sub(value, word)


def fill_shell_text(text: str, known: Collection[str]) -> str:
    """Replace the names in a text for ``sh -c`` by references to variables, quoted as needed.

    The shell's own braces, as in ``${HOME}`` and ``{ true; }``, are left alone.
    """
    return _ShellScanner(text, known).read()


def _check_name(name: str, known: Collection[str]) -> None:
    if name in known:
        return
    if name in CASE_VARIABLES:
        raise _make_template_error(
            name,
            "but there are no cases.",
            "Add 'cases' at the top of the file: a number, or the path of a file with one case "
            "per line.",
        )
    names = [each for each in VARIABLES if each in known]
    near = get_close_matches(name, names, n=1)
    meant = f"Did you mean {{{near[0]}}}?" if near else ""
    listing = ", ".join(f"{{{each}}}" for each in names)
    letters = f"For literal braces write {{{{{name}}}}}."
    remedy = f"{meant} {letters}".lstrip()
    raise _make_template_error(name, f"which is unknown; known are {listing}.", remedy)


def _make_template_error(name: str, what: str, remedy: str) -> SpecError:
    return SpecError(
        f"The 'command' of {_OWNER} has {{{name}}}, {what}",
        argument="command",
        owner=_OWNER,
        rule=f"not have {{{name}}}",
        value=name,
        remedy=remedy,
    )


class _ShellScanner:
    """Scanner of a shell text, which finds out how each name in braces is quoted.

    If it is wrong about that, in some unusual text, a value is split at blanks or not put in at
    all. The value cannot become a command: only a reference to a variable is ever put in.
    """

    def __init__(self, text: str, known: Collection[str]) -> None:
        self._text, self._known = text, known
        self._at = 0
        self._inside = [""]
        """stack of open constructs: ' " ` ${ $( ( $(( or ((, and at the bottom the text itself"""
        self._out: list[str] = []

    def read(self) -> str:
        while self._at < len(self._text):
            self._step()
        return "".join(self._out)

    def _step(self) -> None:
        text, at, inside = self._text, self._at, self._inside[-1]
        match = _PLACEHOLDER.match(text, at)
        if match is not None and not self._is_literal(match):
            self._take(self._make_reference(match), len(match[0]))
        elif inside == "'":
            self._take(text[at], closes=text[at] == "'")
        elif text[at] == "\\":
            self._take(text[at : at + 2])
        elif inside == '"':
            self._scan_double_quotes()
        elif inside == "`":
            self._take(text[at], closes=text[at] == "`")
        elif inside == "${":
            self._scan_parameter()
        else:
            self._scan_outside_quotes()

    def _scan_double_quotes(self) -> None:
        if self._text[self._at] == '"':
            self._take('"', closes=True)
        else:
            self._open("$((", "$(", "${", "`")

    def _scan_parameter(self) -> None:
        if self._text[self._at] == "}":
            self._take("}", closes=True)
        else:
            self._open("$((", "$(", "${", "`", '"')

    def _scan_outside_quotes(self) -> None:
        text, at, inside = self._text, self._at, self._inside[-1]
        end = {"$(": ")", "(": ")", "$((": "))", "((": "))"}.get(inside)
        if end is not None and text.startswith(end, at):
            self._take(end, closes=True)
        elif text[at] == "#" and (at == 0 or text[at - 1] in " \t\n;&|("):
            line = text[at:].partition("\n")[0]
            self._take(line)
        elif (
            text.startswith("<<", at)
            and not text.startswith("<<<", at)
            and inside not in _ARITHMETIC_OPENINGS
        ):
            self._refuse_if_named("a here-document", "Read the text from a file.")
        elif text.startswith("$'", at):
            self._refuse_if_named("$'...'", "Use double quotes.")
        else:
            self._open("$((", "$(", "${", "`", '"', "'", "((", "(")

    def _open(self, *signs: str) -> None:
        """Enter the construct that begins here, if one does; else take one character."""
        for sign in signs:
            if self._text.startswith(sign, self._at):
                if sign == "${":
                    self._refuse_slip()
                self._inside.append(sign)
                self._take(sign)
                return
        self._take(self._text[self._at])

    def _take(self, put: str, length: int | None = None, *, closes: bool = False) -> None:
        self._out.append(put)
        self._at += len(put) if length is None else length
        if closes:
            self._inside.pop()

    def _is_literal(self, match: re.Match[str]) -> bool:
        """Return whether it follows a dollar sign in single quotes: another language's variable."""
        is_name = match[2] is not None
        return is_name and self._inside[-1] == "'" and self._out[-1:] == ["$"]

    def _make_reference(self, match: re.Match[str]) -> str:
        if match[2] is None:
            return f"{{{match[1]}}}"
        name, inside = match[2], self._inside[-1]
        _check_name(name, self._known)
        if inside == "${":
            self._refuse(name, "${...}", f"Write ${{{VARIABLES[name]}}}, quoted as you need it.")
        if inside == "'":
            self._refuse(
                name, "single quotes", "Write it outside of the quotes, or use double quotes."
            )
        if inside == "`":
            self._refuse(name, "backticks", "Use $(...) instead.")
        if inside in _ARITHMETIC_OPENINGS:
            self._refuse(name, "arithmetic", "Put it into a variable first, and check it.")
        reference = f"${{{VARIABLES[name]}}}"
        return reference if inside == '"' else f'"{reference}"'

    def _refuse(self, name: str, where: str, remedy: str) -> NoReturn:
        words = 'A list of words needs no quotes at all: command = ["program", "{arm}"].'
        raise SpecError(
            f"The 'command' of {_OWNER} has {{{name}}} within {where}, where it cannot be put "
            "safely.",
            argument="command",
            owner=_OWNER,
            rule=f"not have {{{name}}} within {where}",
            value=self._text,
            remedy=f"{remedy} {words}",
        )

    def _refuse_slip(self) -> None:
        match = _PLACEHOLDER.match(self._text, self._at + 1)
        if match is not None and match[2] in self._known:
            raise SpecError(
                f"The 'command' of {_OWNER} has ${{{match[2]}}}, a shell variable that "
                "nobody has set.",
                argument="command",
                owner=_OWNER,
                rule=f"not have ${{{match[2]}}}",
                value=self._text,
                remedy=f"Write {{{match[2]}}}, or ${{{VARIABLES[match[2]]}}}.",
            )

    def _refuse_if_named(self, where: str, remedy: str) -> None:
        for match in _PLACEHOLDER.finditer(self._text, self._at):
            if match[2] is not None and match[2] in self._known:
                self._refuse(match[2], f"or after {where}", remedy)
        self._take(self._text[self._at : self._at + 2])
