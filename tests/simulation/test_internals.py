"""docs/engine-internals.md tells of every field of a run what the source does with it."""

import re

import pytest

from helpers import ROOT
from simulation.fields import find_uses, list_fields

PAGE = (ROOT / "docs/engine-internals.md").read_text(encoding="utf-8")
ROWS = {
    field: [set(re.findall(r"`(\w+)`", cell)) for cell in (writers, readers)]
    for field, writers, readers in re.findall(
        r"^\| `([\w.]+)` \|[^|]*\|([^|]*)\|([^|]*)\|$", PAGE, re.M
    )
}


def test_the_tables_list_the_fields_that_exist():
    assert list(ROWS) == list_fields()


@pytest.mark.parametrize("field", list_fields())
def test_who_writes_and_who_reads_a_field(field):
    writes, reads = find_uses()
    assert [writes[field], reads[field]] == ROWS[field]
