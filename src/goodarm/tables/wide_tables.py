"""Wide tables: a column for each arm, a row for each unit, a reward in each cell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from goodarm.tables.cases import is_blank, is_case
from goodarm.tables.chunks import Cells, Chunk
from goodarm.tables.read_options import Reading
from goodarm.tables.units import UNIT

OPTION: Final = "option"
"""Meaning of a column of an arm's rewards; the first is ``option 1``, and so on."""


def is_option(meaning: str) -> bool:
    """Return whether a column with this meaning holds an arm's rewards."""
    return meaning.partition(" ")[0] == OPTION


def make_long(chunks: Iterable[Chunk], reading: Reading) -> Iterator[Chunk]:
    """Yield rows of one reward each; empty cells are left out, as there was no test."""
    num_empty = 0
    is_first = True
    for chunk in chunks:
        options = [meaning for meaning in chunk.numbers if is_option(meaning)]
        if is_first:
            yield _make_empty_chunk(chunk, options)
        for meaning in options:
            cells = chunk.numbers[meaning]
            kept = [row for row, cell in enumerate(_list_cells(cells)) if not is_blank(cell)]
            num_empty += len(cells) - len(kept)
            if kept:
                yield _make_arm_chunk(chunk, meaning, kept)
        if chunk.faults:
            yield replace(_make_arm_chunk(chunk, options[0], []), faults=chunk.faults)
        is_first = False
    if num_empty:
        cells = "cell" if num_empty == 1 else "cells"
        reading.note(f"skipped {num_empty:,} empty {cells}")


def _list_cells(cells: Cells) -> Sequence[object]:
    return cells.tolist() if isinstance(cells, np.ndarray) else cells


def _make_empty_chunk(chunk: Chunk, options: Sequence[str]) -> Chunk:
    """Return all arms with no rewards yet, so that they come in the order of the columns."""
    none = np.zeros(len(options))
    return replace(
        chunk,
        arms=[chunk.columns[meaning] for meaning in options],
        numbers={"pulls": none, "sum": none},
        lines=range(1, len(options) + 1),
        is_named=True,
        is_counted=True,
        faults=(),
    )


def _make_arm_chunk(chunk: Chunk, meaning: str, rows: Sequence[int]) -> Chunk:
    name = chunk.columns[meaning]
    cases = [other for other in chunk.numbers if is_case(other) or other == UNIT]
    return replace(
        chunk,
        arms=[name] * len(rows),
        numbers={
            "reward": [chunk.numbers[meaning][row] for row in rows],
            **{case: [chunk.numbers[case][row] for row in rows] for case in cases},
        },
        columns={"arm": name, "reward": name, **{case: chunk.columns[case] for case in cases}},
        lines=[chunk.lines[row] for row in rows],
        faults=(),
    )
