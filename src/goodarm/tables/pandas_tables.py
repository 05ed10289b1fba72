"""pandas frames and Series as frames with named columns: their index may hold the arms."""

from typing import Any, Final

from goodarm.errors import SpecError, invalid_argument
from goodarm.tables.headers import ColumnMatch
from goodarm.tables.read_options import ReadOptions
from goodarm.tables.units import UNIT
from goodarm.wording import Arg, Symbol, Text, phrase

_SOURCE: Final = "the frame"


def name_columns(frame: Any, form: ReadOptions) -> Any:
    """Return a frame whose column names are text; its index joins the columns if it has the arms.

    A frame of another library is returned unchanged.
    """
    index: Any = getattr(frame, "index", None)
    if not hasattr(frame, "reset_index") or not hasattr(index, "names"):
        return frame
    frame = _make_names_text(frame)
    if all(name is None for name in index.names):
        return frame
    match = ColumnMatch(_SOURCE, form, list(frame.columns))
    names = [str(name) for name in index.names]
    is_missing = not {"arm", UNIT}.isdisjoint(match.missing)
    if match.header is None and is_missing and not {*names} & {*frame.columns}:
        return _make_names_text(frame.reset_index())
    return frame


def _make_names_text(frame: Any) -> Any:
    names = [_format_column_name(name) for name in frame.columns]
    if names == list(frame.columns):
        return frame
    frame = frame.copy(deep=False)
    frame.columns = names
    return frame


def _format_column_name(name: object) -> str:
    """Return a column's name as text; those of several levels are joined by spaces."""
    parts = name if isinstance(name, tuple) else (name,)
    return " ".join(str(part) for part in parts if str(part))


def make_frame(series: Any, form: ReadOptions) -> Any:
    """Return a Series as a frame: its index holds the arms, its values rewards or counts.

    A Series that may mean something else raises an error with the choices.
    """
    index: Any = getattr(series, "index", None)
    if not hasattr(series, "reset_index") or not hasattr(index, "names"):
        raise _make_refusal(series, _ONE_ARM)
    names = list(index.names)
    if form.is_counts:
        raise _make_refusal(series, _TWO_NUMBERS)
    if names == [None] and list(index) == list(range(len(index))):
        raise _make_refusal(series, _ONE_ARM)
    if form.is_values and len(names) == 1:
        raise _make_refusal(series, _COUNTED)
    value = "count" if form.is_values else "reward"
    frame = series.rename(form.columns.get(value, value)).reset_index()
    if names == [None]:
        frame.columns = [form.columns.get("arm", "arm"), *frame.columns[1:]]
    return _make_names_text(frame)


def _make_refusal(series: Any, remedy: Text) -> SpecError:
    rule = "be a table, or a Series of rewards whose index holds the arms"
    shown = Symbol(f"a Series of {len(series)} values")
    return invalid_argument("counts", "check", rule, shown, remedy)


_RAW: Final = Arg("raw", True)
_ONE_ARM: Final = phrase(
    "For the rewards of one arm {pass} {{'NAME': series}} with {raw}.", raw=_RAW
)
_TWO_NUMBERS: Final = phrase(
    "If each value is a reward, {pass} {raw}. Counts are two numbers for each arm, as in "
    "frame.groupby(ARM)[REWARD].agg(['count', 'sum']).",
    raw=_RAW,
)
_COUNTED: Final = "Its index must hold arms and values, as in frame[[ARM, VALUE]].value_counts()."
