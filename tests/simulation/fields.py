"""Which compiled function writes and which reads each field of a run, found in the source."""

import ast
from collections import defaultdict
from pathlib import Path

import goodarm.kernels
from goodarm.kernels.simulation.place import PLACE
from goodarm.kernels.simulation.state import ARM, HINT, PROGRESS, STEERING, Scratch, State

RECORDS = {"arms": ARM, "places": PLACE, "progress": PROGRESS, "hints": HINT, "steering": STEERING}
"""The arrays that hold records."""

NAMES = {
    **{name: name for name in (*State._fields, *Scratch._fields)},
    "arm_record": "arms",
    "place": "places",
    "hint": "hints",
    "steer": "steering",
    "words": "places.words",
}
"""What the kernels call an array, or one record of it."""

OTHERS = {"live"}
"""Folders with arrays of ask and tell, which have the same names."""


def list_fields():
    """Every field: ``arms.pulls`` of records, ``alive`` of plain arrays."""
    found = []
    for name in (*State._fields, *Scratch._fields):
        dtype = RECORDS.get(name)
        found += [name] if dtype is None else [f"{name}.{field}" for field in dtype.names]
    return found


def _find_array(node):
    """The array that an expression is a part of, if it is one of a run."""
    while isinstance(node, ast.Subscript):
        node = node.value
    name = getattr(node, "attr", getattr(node, "id", None))
    return NAMES.get(name)


def _find_named(node):
    """The fields that an expression stands for by their names."""
    array = _find_array(node)
    if array not in RECORDS:
        return {array} - {None}
    name = getattr(getattr(node, "slice", None), "value", None)
    return {f"{array}.{name}"} if isinstance(name, str) else set()


def _find_written(node):
    """The fields that are written by an assignment to a subscript; all, if to a whole record."""
    array = _find_array(node)
    whole = {f"{array}.{name}" for name in RECORDS[array].names} if array in RECORDS else set()
    return _find_named(node) or whole


def find_uses():
    """The functions that write each field by name, and those that read it."""
    writes, reads = defaultdict(set), defaultdict(set)
    for path in Path(goodarm.kernels.__file__).parent.rglob("*.py"):
        if path.parent.name in OTHERS:
            continue
        for function in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                _note(function, writes, reads)
    return writes, reads


def _note(function, writes, reads):
    written, read = set(), set()
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            read |= _find_named(node.target)
        if isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Store):
                written |= _find_written(node)
            else:
                read |= _find_named(node)
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "copy_wealth":
            read |= _find_named(node.args[0])
            written |= _find_named(node.args[2])
    for field in written:
        writes[field].add(function.name)
    for field in read:
        reads[field].add(function.name)
