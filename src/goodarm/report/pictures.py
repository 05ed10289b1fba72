"""A picture on its way to a file."""

from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.figure import Figure

from goodarm.errors import must
from goodarm.report.figures import SETTINGS

FORMATS: Final = (".png", ".svg", ".pdf")
_DPI: Final = 160
_NO_DATE: Final = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_picture(path: Path, owner: str) -> None:
    """Refuse a picture that could not be written, before any work is done for it."""
    if path.suffix.lower() not in FORMATS:
        raise must("--plot", owner, "end in .png, .svg or .pdf", str(path))
    if path.is_dir() or not path.parent.is_dir():
        raise must("--plot", owner, "be a file in a folder that exists", str(path))


def save_picture(figure: Figure, path: str | Path) -> None:
    """Write the picture; the same picture gives the same file."""
    kind = Path(path).suffix.lower()
    with mpl.rc_context(SETTINGS):
        figure.savefig(path, format=kind.lstrip("."), dpi=_DPI, metadata=_NO_DATE.get(kind))
