"""Sentences of errors, in the words of the interface that the reader uses.

An error carries its parts as fields. A rule or remedy that mentions an argument holds a reference
to it, and each edge (interface) has its own word for that: ``threshold`` in Python, ``--threshold``
on the command line, the label of a field on a page, ``/problem/threshold`` in the body of a
request, and the key of a file. Nothing here parses a sentence; sentences are made once, at the
edge.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from string import Formatter
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, Protocol

BODY: Final = "/"
"""Pointer of an `ErrorPlace` to the whole body of a request."""
MAX_SHOWN: Final = 80
"""Most characters of a value that a sentence shows."""
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")
_SIMPLE: Final = re.compile(r"[\w.,:@%+/-]*\w[\w.,:@%+/-]*", re.ASCII)
"""Words that a shell takes without quotes."""


class NotGiven(Enum):
    """Type of the marker for a missing value, where None is a value."""

    NOT_GIVEN = "not given"


NOT_GIVEN: Final = NotGiven.NOT_GIVEN


class Symbol(str):
    """Stand-in for a value, such as NUMBER, that is never quoted."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Arg:
    """Reference to an argument, or to the value that it should get.

    Args:
        name: the argument, as Python calls it.
        value: what to give it, if that is said too. A dict may have ``...`` as a value, for a name
            that the user knows, and as a key, for "and so on".
        owner: the function or class that takes it, if that is not the one of the error.
    """

    name: str
    value: Any = NOT_GIVEN
    owner: str = ""


@dataclass(frozen=True)
class Value:
    """Value within a sentence, quoted as its reader would write it."""

    value: Any


@dataclass(frozen=True)
class PrivateText:
    """Text about this machine, for its own users; remote readers get ``public`` instead."""

    text: str
    public: str


@dataclass(frozen=True)
class EdgeText:
    """Text for the readers of one edge; all others read ``otherwise``."""

    edge: str
    text: "Text"
    otherwise: "Text" = ""


@dataclass(frozen=True)
class Function:
    """Reference to a function, which each edge names in its own way, such as by an option."""

    name: str


class SettingVerb(Enum):
    """Verb for giving an argument a value: "pass" in Python, "use" on the command line."""

    PASS = "Pass"
    THEN_PASS = "pass"


@dataclass(frozen=True)
class Phrase:
    """Text that mentions arguments, values or other errors."""

    parts: tuple[Any, ...]

    def __add__(self, more: "Text") -> "Phrase":
        return Phrase((*self.parts, *(more.parts if isinstance(more, Phrase) else (more,))))


Text = str | Phrase
"""Text of an error. References to arguments are worded at the edge."""


def phrase(template: str, /, **given: Any) -> Phrase:
    """Parse a template whose names in braces are references to arguments.

    A name in ``given`` is replaced by its value: a text, an `Arg`, a `Value`, another phrase or an
    error. ``{Pass}`` and ``{pass}`` are the verb of the edge.

    >>> text = phrase("For other rewards {pass} {rewards}.", rewards=Arg("rewards", "bounded"))
    >>> PYTHON.text(text)
    "For other rewards pass rewards='bounded'."
    >>> COMMAND_LINE.text(text)
    'For other rewards use --rewards bounded.'
    """
    verbs = {verb.value: verb for verb in SettingVerb}
    parts: list[Any] = []
    for before, name, _, _ in Formatter().parse(template):
        if before:
            parts.append(before)
        if name is not None:
            part = given[name] if name in given else verbs.get(name) or Arg(name)
            parts += part.parts if isinstance(part, Phrase) else [part] if part != "" else []
    return Phrase(tuple(parts))


def join(*texts: Text, by: str = " ") -> Text:
    """Join the texts that are not empty."""
    found = [text for text in texts if text != ""]
    if all(isinstance(text, str) for text in found):
        return by.join(str(text) for text in found)
    whole = Phrase(())
    for number, text in enumerate(found):
        whole = whole + (by if number else "") + text
    return Phrase(tuple(part for part in whole.parts if part != ""))


def third_party_message(error: BaseException) -> str:
    """Return the message of another library's error, without memory addresses."""
    return _ADDRESS.sub("", str(error))


def show_value(value: object) -> str:
    """Return a value as Python writes it, shortened and without memory addresses.

    >>> show_value(1.5), show_value("x" * 100)[-6:], show_value([print, object()])
    ('1.5', 'xxx...', '[<built-in function print>, <object object>]')
    """
    shown = repr(value)
    if not isinstance(value, (str, bytes, int, float)):
        shown = _ADDRESS.sub("", shown)
    return _shorten(shown)


def _shorten(shown: str) -> str:
    return shown if len(shown) <= MAX_SHOWN else f"{shown[: MAX_SHOWN - 3]}..."


class ErrorPlace(NamedTuple):
    """Place where an error was found.

    Args:
        source: the table, log or document, as it is called in sentences.
        word: what its parts are called where they are not lines or entries, such as "row".
        line: the number of the line, or of what ``word`` says.
        column: the name of the column.
        entry: the entry of a journal or a log: a number, or what it is called.
        file: the file whose keys the arguments are.
        pointer: the JSON pointer into the body of a request.
    """

    source: str = ""
    word: str = "line"
    line: int | None = None
    column: str = ""
    entry: int | str | None = None
    file: str = ""
    pointer: str = ""

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        if self.line is not None:
            parts.append(f"{self.word} {self.line}")
        if self.entry is not None:
            parts.append(f"entry {self.entry}" if isinstance(self.entry, int) else self.entry)
        return ", ".join(parts)

    @property
    def row(self) -> int | None:
        """Number of the row, if the source has rows."""
        return self.line if self.word == "row" else None


class ErrorFields(Protocol):
    """Fields that a sentence is made from; see `goodarm.errors.GoodArmError`."""

    statement: Text
    argument: str
    owner: str
    rule: Text
    value: object
    remedy: Text
    place: ErrorPlace | None

    @property
    def errors(self) -> "tuple[ErrorFields, ...]":
        """Errors that this one consists of."""


class Wording:
    """Wording for Python, and base class of the other wordings."""

    edge: ClassVar = "python"
    between: ClassVar = "\n"
    """Separator between several sentences."""
    verbs: ClassVar[Mapping[SettingVerb, str]] = {verb: verb.value for verb in SettingVerb}
    functions: Mapping[str, str] = MappingProxyType({})
    """Names of functions at this edge, where they differ from Python's."""

    def sentence(self, error: ErrorFields) -> str:
        """Return the sentence of an error."""
        words = FILE if error.place is not None and error.place.file else self
        return words.text(words.whole(error), error.owner).rstrip(" ")

    def whole(self, error: ErrorFields) -> Text:
        """Return the whole text of an error, with references not yet worded."""
        lines: list[Text] = []
        if error.statement != "":
            lines.append(error.statement)
        elif error.rule != "" and not error.errors:
            rule = phrase("{subject} must {rule}", subject=self.subject(error), rule=error.rule)
            lines.append(rule + f"{self.got(error)}.")
        lines += [self.sentence(each) for each in error.errors]
        return join(self.before(error), join(*lines, by=self.between), error.remedy)

    def text(self, text: Text, owner: str = "") -> str:
        """Return a text with its references in words."""
        if isinstance(text, str):
            return text
        return "".join(self._format_part(part, owner) for part in text.parts)

    def _format_part(self, part: Any, owner: str) -> str:
        if isinstance(part, str):
            return part
        if isinstance(part, SettingVerb):
            return self.verbs[part]
        if isinstance(part, Value):
            return self.shown(part.value)
        if isinstance(part, PrivateText):
            return self.private(part)
        if isinstance(part, Function):
            return self.functions.get(part.name, part.name)
        if isinstance(part, EdgeText):
            return self.text(part.text if part.edge == self.edge else part.otherwise, owner)
        if isinstance(part, Arg):
            if isinstance(part.value, NotGiven):
                return self.name(part.name, part.owner or owner)
            return self.setting(part.name, part.value, part.owner or owner)
        return self.sentence(part)

    def before(self, error: ErrorFields) -> str:
        """Return the text before the sentence, such as the file."""
        return f"{error.place.file}:" if error.place is not None and error.place.file else ""

    def subject(self, error: ErrorFields) -> str:
        """Return the subject of a rule: the argument and its owner."""
        return f"The '{error.argument}' of {_describe_place(error)}"

    def got(self, error: ErrorFields) -> str:
        """Return the part of the sentence that shows the given value, if there is one."""
        if isinstance(error.value, NotGiven):
            return ""
        return f"; got {self.given(error.value)}"

    def given(self, value: Any) -> str:
        """Return a given value so that it stands out from the words around it."""
        return show_value(value)

    def name(self, argument: str, owner: str) -> str:
        """Return the reader's name for an argument."""
        return argument

    def setting(self, argument: str, value: Any, owner: str) -> str:
        """Return the text that gives an argument a value."""
        return f"{argument}={_format_python_value(value)}"

    def shown(self, value: Any) -> str:
        """Return a value as the reader writes it."""
        return show_value(value)

    def private(self, part: PrivateText) -> str:
        """Return the text about this machine."""
        return part.text


def _describe_place(error: ErrorFields) -> str:
    return str(error.place or "") or error.owner


def _format_python_value(value: Any) -> str:
    if not isinstance(value, Mapping):
        return repr(value)
    return f"{{{', '.join(_format_pairs(value, '{!r}: {!r}', '...'))}}}"


def _format_pairs(value: Mapping[Any, Any], pair: str, more: str) -> Iterable[str]:
    for key, held in value.items():
        yield more if key is ... else pair.format(key, Symbol("...") if held is ... else held)


class CommandLineWording(Wording):
    """Wording for the command line: options, and values as a shell takes them."""

    edge: ClassVar = "command line"
    verbs: ClassVar[Mapping[SettingVerb, str]] = {
        SettingVerb.PASS: "Use",
        SettingVerb.THEN_PASS: "use",
    }
    functions: Mapping[str, str] = MappingProxyType(
        {"goodarm.read_logs": "--from NAME", "tokens.list": "goodarm token list"}
    )

    calls: ClassVar = frozenset(
        (
            *(
                "Problem",
                "check",
                "export",
                "history",
                "open_store",
                "boundary",
                "plan",
                "read_logs",
                "reproduce",
            ),
            *("run", "show", "simulate", "token", "verify"),
        )
    )
    """Owners whose arguments are options of a command."""
    names: ClassVar[Mapping[tuple[str, str], str]] = {
        ("check", "columns"): "--column",
        ("datasets.rebuild", "paths"): "--from",
        ("open_store", "url"): "URL",
        ("read_logs", "format"): "--from",
        ("read_logs", "paths"): "PATHS",
        ("check", "counts"): "PATHS",
        ("reproduce", "algorithms"): "--algorithm",
        ("reproduce", "folder"): "--out",
    }
    """Arguments that have another name on the command line."""
    columns: ClassVar = ("threshold", "pool")
    """Columns that have an option of their own."""

    def subject(self, error: ErrorFields) -> str:
        """Return the option, or the cell of a table."""
        if str(error.place or "") or error.owner not in self.calls:
            return super().subject(error)
        return self.name(error.argument, error.owner)

    def got(self, error: ErrorFields) -> str:
        """Return the part of the sentence that shows the typed value, if there is one."""
        is_missing = error.value is None and not error.place and error.owner in self.calls
        return "" if is_missing else super().got(error)

    def given(self, value: Any) -> str:
        """Return a typed value; numbers as they are usually typed, without ".0"."""
        return f"{value:.12g}" if isinstance(value, float) else super().given(value)

    def name(self, argument: str, owner: str) -> str:
        """Return the option for an argument.

        >>> COMMAND_LINE.name("arms_planned", "check"), COMMAND_LINE.name("NAME", "show")
        ('--arms-planned', 'NAME')
        """
        if (owner, argument) in self.names:
            return self.names[owner, argument]
        is_typed = argument.startswith("--") or argument.isupper()
        return argument if is_typed else f"--{argument.replace('_', '-')}"

    def setting(self, argument: str, value: Any, owner: str) -> str:
        """Return the option with its value.

        >>> COMMAND_LINE.setting("sum", True, "check"), COMMAND_LINE.setting("sep", ";", "check")
        ('--sum', "--sep ';'")
        >>> COMMAND_LINE.setting("columns", {"pulls": "n"}, "check")
        '--column pulls=n'
        """
        option = self.name(argument, owner)
        if value is True:
            return option
        if not isinstance(value, Mapping):
            return f"{option} {_format_typed(value)}"
        found: list[str] = []
        for key, held in value.items():
            if key is ...:
                found.append("and so on")
            elif key in self.columns:
                found.append(f"--{key}-column {self._format_column(held)}")
            else:
                found.append(f"{option} {key}={self._format_column(held)}")
        return ", ".join(found)

    def _format_column(self, name: Any) -> str:
        return "NAME" if name is ... else _format_typed(name)

    def shown(self, value: Any) -> str:
        """Return a value as the user types it."""
        return _format_typed(value)


def _format_typed(value: Any) -> str:
    """Return a value as it is typed into a shell."""
    text = str(value)
    return text if _SIMPLE.fullmatch(text) else repr(text)


class FileWording(Wording):
    """Wording for a settings file: its keys."""

    edge: ClassVar = "file"
    verbs: ClassVar[Mapping[SettingVerb, str]] = {
        SettingVerb.PASS: "Write",
        SettingVerb.THEN_PASS: "write",
    }

    def subject(self, error: ErrorFields) -> str:
        """Return the key, with its section unless it is at the top level."""
        return f"The '{error.argument}'" + (f" of {error.owner}" if error.owner else "")

    def setting(self, argument: str, value: Any, owner: str) -> str:
        """Return the line that gives a key its value."""
        return f"{argument} = {json.dumps(value) if not isinstance(value, Symbol) else value}"


class FormWording(Wording):
    """Wording for a page: the labels of its fields."""

    edge: ClassVar = "form"
    verbs: ClassVar[Mapping[SettingVerb, str]] = {
        SettingVerb.PASS: "Set",
        SettingVerb.THEN_PASS: "set",
    }

    def __init__(
        self,
        labels: Mapping[str, str],
        aliases: Mapping[str, str] | None = None,
        lists: Collection[str] = (),
    ) -> None:
        self.labels = labels
        self.aliases = aliases or {}
        """Arguments whose field has another name."""
        self.lists = lists
        """Fields that hold many values."""

    def field(self, error: ErrorFields) -> str:
        """Return the name of the field that an error is about, or ""."""
        found = self.aliases.get(error.argument, error.argument)
        return found if found in self.labels else ""

    def subject(self, error: ErrorFields) -> str:
        """Return the label of the field."""
        return self.name(error.argument, error.owner)

    def got(self, error: ErrorFields) -> str:
        """Return the wrong one of many values; a field with one value shows it already."""
        field = self.field(error)
        return super().got(error) if not field or field in self.lists else ""

    def given(self, value: Any) -> str:
        """Return a value that the user entered."""
        return _shorten(self.shown(value))

    def name(self, argument: str, owner: str) -> str:
        """Return the label of a field; for an argument without one, its name in plain letters."""
        plain = argument.replace("_", " ").capitalize()
        return self.labels.get(self.aliases.get(argument, argument), plain)

    def setting(self, argument: str, value: Any, owner: str) -> str:
        """Return the field with the value that it should have."""
        return f"{self.name(argument, owner)} to {self.shown(value)}"

    def shown(self, value: Any) -> str:
        """Return a value as a form shows it."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value) if isinstance(value, str) else show_value(value)

    def private(self, part: PrivateText) -> str:
        """Return the text for remote readers."""
        return part.public


class JsonWording(Wording):
    """Wording for the HTTP API: JSON pointers into the request body, and JSON values."""

    edge: ClassVar = "json"
    between: ClassVar = " "
    verbs: ClassVar[Mapping[SettingVerb, str]] = {
        SettingVerb.PASS: "Set",
        SettingVerb.THEN_PASS: "set",
    }

    def __init__(
        self,
        bases: Mapping[str, str],
        pointers: Mapping[str | tuple[str, str], str] | None = None,
        functions: Mapping[str, str] | None = None,
        queries: Collection[str] = (),
    ) -> None:
        self.bases = bases
        """Pointer to the arguments of each owner in the body."""
        self.pointers = pointers or {}
        """Pointers to single arguments that are elsewhere, by owner and name, or by name alone."""
        self.functions = functions or {}
        self.queries = queries
        """Owners whose arguments are in the query, not in the body."""

    def pointer(self, error: ErrorFields) -> str:
        """Return the pointer to the value that an error is about."""
        if error.owner in self.queries or (error.place is not None and error.place.source):
            return ""
        if error.place is not None and error.place.pointer:
            return error.place.pointer
        return self.name(error.argument, error.owner)

    def before(self, error: ErrorFields) -> str:
        """Return the line number, for a body of many lines."""
        line = None if error.place is None or error.errors else error.place.line
        return f"Line {line} of the body:" if line is not None else super().before(error)

    def subject(self, error: ErrorFields) -> str:
        """Return the pointer, or the name of an argument that is not in the body."""
        pointer = self.pointer(error)
        if pointer == BODY:
            return "The body"
        if error.owner in self.queries:
            return f"The '{error.argument}' of the query"
        return pointer or super().subject(error)

    def name(self, argument: str, owner: str) -> str:
        """Return the pointer to an argument.

        >>> JsonWording({"Problem": "/problem"}).name("delta", "Problem")
        '/problem/delta'
        """
        if argument.startswith("/") or not argument:
            return argument
        if (owner, argument) in self.pointers:
            return self.pointers[owner, argument]
        if owner in self.bases:
            return f"{self.bases[owner]}/{argument}"
        return self.pointers.get(argument, f"/{argument}")

    def setting(self, argument: str, value: Any, owner: str) -> str:
        """Return the pointer with the value that should be there."""
        return f"{self.name(argument, owner)} to {self.shown(value)}"

    def given(self, value: Any) -> str:
        """Return a value that was sent."""
        return self.shown(value)

    def shown(self, value: Any) -> str:
        """Return a value in JSON."""
        if isinstance(value, Symbol):
            return str(value)
        try:
            return _shorten(json.dumps(value, ensure_ascii=False))
        except (TypeError, ValueError):
            return show_value(value)

    def private(self, part: PrivateText) -> str:
        """Return the text for remote readers."""
        return part.public


PYTHON: Final = Wording()
COMMAND_LINE: Final = CommandLineWording()
FILE: Final = FileWording()
