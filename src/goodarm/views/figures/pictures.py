"""Writing figures to files."""

import io
from pathlib import Path
from typing import Any, BinaryIO, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from goodarm.errors import invalid_argument
from goodarm.views.figures.styles import SETTINGS
from goodarm.views.figures.texts import suppress_glyph_warnings

FORMATS: Final = (".png", ".svg", ".pdf")
_DPI: Final = 160
_NO_DATE: Final = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_picture(path: Path, owner: str, option: str = "--plot") -> None:
    """Raise an error for a file that could not be written, before any work is done for it."""
    if path.suffix.lower() not in FORMATS:
        raise invalid_argument(option, owner, "end in .png, .svg or .pdf", str(path))
    if path.is_dir() or not path.parent.is_dir():
        raise invalid_argument(option, owner, "be a file in a folder that exists", str(path))


def save_picture(figure: Figure, path: str | Path, dpi: int = _DPI) -> None:
    """Write the figure to a file; the same figure gives the same file."""
    _save(figure, path, Path(path).suffix.lower(), dpi)


def write_picture(figure: Figure, target: BinaryIO, kind: str, dpi: int = _DPI) -> None:
    """Write the figure into an open file, in the format of this ending."""
    _save(figure, target, kind, dpi)


def make_svg(figure: Figure) -> str:
    """Return the figure as the text of an SVG file."""
    text = io.StringIO()
    _save(figure, text, ".svg", _DPI)
    return text.getvalue()


def _save(figure: Figure, target: Any, kind: str, dpi: int) -> None:
    with mpl.rc_context(SETTINGS), suppress_glyph_warnings():
        figure.savefig(target, format=kind.lstrip("."), dpi=dpi, metadata=_NO_DATE.get(kind))
