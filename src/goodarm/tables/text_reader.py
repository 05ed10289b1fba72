"""Reader of text files: encoding, lines, and the lines before the header."""

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, Any, Final, NamedTuple

from goodarm.errors import SpecError, invalid_argument
from goodarm.tables.read_options import Reading
from goodarm.wording import Arg, ErrorPlace, Phrase, Value, phrase

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LONGEST_MARK: Final = 4
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MAGIC: Final = {
    b"PK\x03\x04": "a workbook or zip archive; if it is a workbook, rename it to .xlsx",
    b"\xd0\xcf\x11\xe0": "an old workbook; rename it to .xls",
    b"\x1f\x8b": "compressed with gzip; decompress it: gzip -dc FILE | goodarm check -",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; decompress it: zstd -dc FILE | goodarm check -",
    b"PAR1": "Parquet; rename it to .parquet",
    b"\x89PNG": "a picture",
}
"""First bytes of files that are not text."""
_EXCEL: Final = re.compile(r"sep=(.)\s*$", re.IGNORECASE)


class LineReader:
    """Iterator over the lines of text; ``number`` is that of the line read last."""

    def __init__(self, source: str, lines: Iterator[str], encoding: str) -> None:
        self.source = source
        self.number = 0
        self._lines = lines
        self._encoding = encoding
        self._waiting: list[str] = []

    def __iter__(self) -> "LineReader":
        return self

    def __next__(self) -> str:
        if self._waiting:
            line = self._waiting.pop()
        else:
            try:
                line = next(self._lines)
            except UnicodeError as error:
                raise self.make_encoding_error(error) from None
        self.number += 1
        return line.removeprefix("\ufeff") if self.number == 1 else line

    def rest(self) -> Iterator[str]:
        """Return the remaining lines; the caller counts them and handles ``UnicodeError``.

        The first line must have been read already.
        """
        waiting, self._waiting = self._waiting[::-1], []
        return chain(waiting, self._lines)

    def give_back(self, line: str) -> None:
        """Push a line back, to be read again."""
        self._waiting.append(line)
        self.number -= 1

    def make_encoding_error(self, error: UnicodeError) -> SpecError:
        """Return the error for the first line that is not in the encoding."""
        if not isinstance(error, UnicodeDecodeError):
            return self._make_mark_error(error)
        before = error.object[: error.start].decode(self._encoding, "replace")
        line = self.number + 1 + before.count("\n")
        bad = error.object[error.start : error.start + 8]
        rule = "be UTF-8" if self._encoding.startswith("utf-8") else f"be {self._encoding}"
        remedy = phrase(
            "Name its encoding, such as {encoding}, or save it as UTF-8.",
            encoding=Arg("encoding", "cp1252"),
        )
        return invalid_argument(
            "text", "check", rule, bad, remedy, ErrorPlace(self.source, line=line)
        )

    def _make_mark_error(self, error: UnicodeError) -> SpecError:
        """Return the error for text without the byte order mark that its encoding requires."""
        name = self._encoding
        return SpecError(
            f"The text of {self.source} must be {name}; {error}.",
            argument="text",
            owner="check",
            rule=f"be {name}",
            remedy=phrase("{Pass} {ends}.", ends=_make_line_end_remedy(name)),
            place=ErrorPlace(self.source),
        )


@contextmanager
def open_lines(stream: IO[Any], source: str, reading: Reading) -> Iterator[LineReader]:
    """Open a stream of text or bytes as lines; leave the stream open."""
    first = stream.read(0)
    if isinstance(first, str):
        yield LineReader(source, _split(stream), "utf-8")
        return
    peeked = _PeekedStream(stream)
    encoding = reading.form.encoding or _find_encoding(peeked.head, source, reading)
    text = io.TextIOWrapper(io.BufferedReader(peeked), encoding=encoding, newline="")
    yield LineReader(source, iter(text), encoding)


def _split(stream: IO[str]) -> Iterator[str]:
    """Yield the lines of a text stream; split at carriage returns, which it may have kept."""
    for line in stream:
        if "\r" in line[:-2] or line.endswith("\r"):
            yield from _LINE.findall(line)
        else:
            yield line


class _PeekedStream(io.RawIOBase):
    """Byte stream whose first bytes have been peeked at; closing it leaves the source open."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.head = b""
        while len(self.head) < _LONGEST_MARK and (more := stream.read(_LONGEST_MARK)):
            self.head += more
        self._rest = self.head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._rest[: len(buffer)] or self._stream.read(len(buffer)) or b""
        self._rest = self._rest[len(part) :]
        buffer[: len(part)] = part
        return len(part)


def _find_encoding(head: bytes, source: str, reading: Reading) -> str:
    """Return the encoding that a byte order mark gives, or UTF-8; refuse what is not text."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            if encoding != "utf-8-sig":
                if reading.form.strict:
                    place = ErrorPlace(source, line=1)
                    raise invalid_argument("text", "check", "be UTF-8", head, place=place)
                reading.note(f"text in {encoding.upper()}")
            return encoding
    for mark, what in _MAGIC.items():
        if head.startswith(mark):
            raise SpecError(
                f"The file of {source} must be text; it is {what}.",
                argument="text",
                owner="check",
                rule="be text",
                value=head,
                place=ErrorPlace(source),
            )
    if b"\0" in head:
        remedy = phrase("If it is UTF-16, {pass} {ends}.", ends=_make_line_end_remedy("utf-16"))
        raise invalid_argument("text", "check", "be text", head, remedy, ErrorPlace(source, line=1))
    return "utf-8"


def _make_line_end_remedy(name: str) -> Phrase:
    little = Arg("encoding", f"{name}-le")
    return phrase("{little} or {big}", little=little, big=Value(f"{name}-be"))


class FirstLine(NamedTuple):
    """First line with content, and the separator that a line before it named.

    ``has_remarks``: comment lines before it were left out, one of which may be the header.
    """

    line: str
    sep: str | None
    has_remarks: bool = False


def find_start(lines: LineReader, reading: Reading) -> FirstLine | None:
    """Skip blank lines, comments and a spreadsheet's ``sep=;`` before the header.

    The header is pushed back, to be read again. Returns None if there is no header.
    """
    form = reading.form
    sep = None
    for line in lines:
        if not line.strip():
            continue
        named = None if form.strict else _EXCEL.match(line)
        if named:
            sep = named.group(1)
        elif form.remark and line.startswith(form.remark):
            reading.remarks.append(lines.number)
        else:
            lines.give_back(line)
            return FirstLine(line, sep, bool(reading.remarks))
    return None
