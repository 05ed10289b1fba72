"""Big journals."""

import time

import pytest

from goodarm.store import JournalRow


@pytest.mark.speed
def test_a_hundred_thousand_rows_are_read_in_order_in_a_few_seconds(opener, url):
    recorder = opener(url)
    head = recorder.create("banners", "{}")
    for last in range(0, 100_000, 5000):
        rows = [
            JournalRow(n, f'{{"n": {n}}}', f"key-{n}", None) for n in range(last + 1, last + 5001)
        ]
        recorder.append(head._replace(last=last), rows)
    start = time.process_time()
    numbers = [row.number for row in recorder.read(head.id, 0)]
    assert time.process_time() - start < 3
    assert numbers == list(range(1, 100_001))
    assert recorder.find(head.id, "key-77777").number == 77_777
