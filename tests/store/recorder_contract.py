"""What every recorder must do. A back end joins by a subclass with the fixture ``open_again``."""

import json
from threading import Barrier, Thread

import pytest

from goodarm.errors import Conflict, Gone, KeyTaken, Moved, SpecError
from goodarm.store import JournalRow
from goodarm.store.chain import hash_row, hash_start

ODD = [
    "",
    "'; DROP TABLE goodarm_journal; --",
    '"%s" %(id)s :id {id} ? $1 \\ \\u0000',
    "line\nline\r\n\ttab \x01\x7f",
    "ﬀ é e\u0301 \u202e ليس 好 \U0001f600 \uffff",
    json.dumps("NUL \0 and half a pair \ud800"),
    "x" * 100_000,
]


def rows(first, count=1, key=None):
    """Rows with numbers of their own; with ``key``, each has one that begins so."""
    return [
        JournalRow(n, f'{{"n": {n}}}', f"{key}-{n}" if key else None, "hash" if key else None)
        for n in range(first, first + count)
    ]


def contents(kept):
    """Return rows without their hashes, which the recorder has computed."""
    return [row._replace(hash="") for row in kept]


def bare(head):
    """Return a head without the hash of its last row."""
    return head._replace(hash="")


def append_at_the_end(recorder, head, text, key):
    """Appends by compare-and-set: reads on and tries again until nobody was faster."""
    while True:
        try:
            recorder.append(head, [JournalRow(head.last + 1, text, key, None)])
        except Moved:
            head = recorder.head(head.name)
        else:
            return head._replace(last=head.last + 1)


def at_once(count, work):
    """Runs ``work(0)``, ``work(1)``, ... in threads that start together; what each returned."""
    barrier, results = Barrier(count), [None] * count

    def run(index):
        barrier.wait()
        try:
            results[index] = work(index)
        except Exception as error:
            results[index] = error

    threads = [Thread(target=run, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


class RecorderContract:
    """Asks for the fixture ``open_again``: a function that opens the same recorder again."""

    @pytest.fixture
    def recorder(self, open_again):
        return open_again()

    def test_a_new_experiment_is_empty(self, recorder):
        head = recorder.create("banners", '{"arms": 3}')
        assert (head.name, head.start, head.last) == ("banners", '{"arms": 3}', 0)
        assert recorder.head("banners") == head
        assert contents(recorder.read(head.id, 0)) == []
        assert recorder.find(head.id, "key") is None
        assert recorder.load_snapshot(head.id) is None

    def test_each_row_carries_a_hash_over_itself_and_the_row_before(self, open_again):
        recorder = open_again()
        head = recorder.create("banners", '{"arms": 3}')
        assert head.hash == hash_start('{"arms": 3}')
        recorder.append(head, rows(1, 3, "k"))
        recorder.append(head._replace(last=3), rows(4))
        before = head.hash
        for row in open_again().read(head.id, 0):
            before = hash_row(before, row)
            assert row.hash == before
        assert open_again().head("banners").hash == before
        assert open_again().find(head.id, "k-2").hash != ""

    def test_an_append_returns_the_new_head(self, recorder):
        head = recorder.create("banners", "{}")
        assert recorder.append(head, []) == head
        for first, count in ((1, 1), (2, 3), (5, 40)):
            head = recorder.append(head, rows(first, count))
            assert head == recorder.head("banners")

    def test_a_turn_has_the_head_as_it_is(self, open_again):
        recorder = open_again()
        head = recorder.create("banners", "{}")
        with recorder.turn(head) as turn:
            assert turn.head == head
            turn.append(0, rows(1, 2))
        assert turn.head == open_again().head("banners")
        open_again().append(turn.head, rows(3))
        with recorder.turn(head) as turn:
            assert turn.head == open_again().head("banners")

    def test_rows_are_chained_behind_what_is_there_whatever_hash_a_writer_names(self, open_again):
        recorder = open_again()
        head = recorder.append(recorder.create("banners", "{}"), rows(1))
        recorder.append(head._replace(hash="of another row"), rows(2, 2))
        before = hash_start("{}")
        for row in open_again().read(head.id, 0):
            before = hash_row(before, row)
            assert row.hash == before
        assert open_again().head("banners").hash == before

    def test_a_journal_that_is_not_chained_stays_so(self, open_again):
        recorder = open_again()
        head = recorder.create("banners", "{}", is_chained=False)
        recorder.append(head, rows(1, 2))
        recorder.append(head._replace(last=2), rows(3))
        assert [row.hash for row in open_again().read(head.id, 0)] == ["", "", ""]
        assert open_again().head("banners").hash == ""

    def test_a_name_that_is_there_is_returned_whatever_its_start(self, recorder):
        head = recorder.create("banners", "1")
        recorder.append(head, rows(1))
        assert bare(recorder.create("banners", "2")) == bare(head._replace(last=1))

    def test_of_racing_creators_one_is_first(self, open_again):
        made = at_once(8, lambda index: open_again().create("banners", str(index)))
        assert len(set(made)) == 1
        assert open_again().heads() == made[:1]

    def test_names_are_told_apart_and_listed_in_order(self, recorder):
        names = ["b", "B", "a-1", "a.1", "a_1", "é", "10", "9"]
        made = {name: recorder.create(name, name) for name in names}
        assert recorder.heads() == [made[name] for name in sorted(names)]
        recorder.append(made["b"], rows(1, 2))
        assert recorder.sizes() == [(name, 2 * (name == "b")) for name in sorted(names)]
        assert len({head.id for head in made.values()}) == len(names)
        assert recorder.head("c") is None
        assert recorder.head("a\0") is None

    def test_rows_come_back_in_order(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 12, "k"))
        recorder.append(head._replace(last=12), rows(13, 1))
        written = rows(1, 12, "k") + rows(13, 1)
        assert recorder.head("banners").last == 13
        assert contents(recorder.read(head.id, 0)) == written
        assert contents(recorder.read(head.id, 5)) == written[5:]
        assert contents(recorder.read(head.id, 5, 3)) == written[5:8]
        assert contents(recorder.read(head.id, 5, 0)) == []
        assert contents(recorder.read(head.id, 13)) == []
        assert contents(recorder.read(head.id, 99)) == []

    def test_more_rows_than_are_read_at_a_time(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 4001, "k"))
        assert contents(recorder.read(head.id, 0)) == rows(1, 4001, "k")
        assert contents(recorder.read(head.id, 1, 4000)) == rows(2, 4000, "k")
        with pytest.raises(KeyTaken) as caught:
            recorder.append(head._replace(last=4001), [*rows(4002, 2500), *_with_key(6502, "k-7")])
        assert caught.value.key == "k-7"

    def test_what_is_read_ends_where_the_journal_ended(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 2))
        reading = recorder.read(head.id, 0)
        recorder.append(head._replace(last=2), rows(3))
        assert contents(reading) == rows(1, 2)

    def test_who_is_behind_writes_nothing(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 2, "k"))
        for last in (0, 1, 3):  # with a key that is there: repeating a request has moved, too
            with pytest.raises(Moved, match="its last entry is 2, not"):
                recorder.append(head._replace(last=last), rows(last + 1, 5, "k"))
        assert contents(recorder.read(head.id, 0)) == rows(1, 2, "k")

    def test_a_key_is_there_once_for_ever(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 3, "k"))
        assert contents([recorder.find(head.id, "k-2")]) == rows(2, 1, "k")
        assert recorder.find(head.id, "k-2\0") is None
        with pytest.raises(KeyTaken, match="'k-2'") as caught:
            recorder.append(head._replace(last=3), [*rows(4, 2), *_with_key(6, "k-2")])
        assert caught.value.key == "k-2"
        assert contents(recorder.read(head.id, 0)) == rows(1, 3, "k")
        assert recorder.head("banners").last == 3
        recorder.append(recorder.create("other", "{}"), rows(1, 3, "k"))

    def test_a_key_that_stands_twice_in_one_append_is_refused(self, recorder):
        head = recorder.create("banners", "{}")
        with pytest.raises(KeyTaken):
            recorder.append(head, [*_with_key(1, "a"), *_with_key(2, "a")])
        assert recorder.head("banners").last == 0

    @pytest.mark.parametrize("numbers", [[2], [0], [1, 3], [1, 1], [2, 1]])
    def test_rows_must_be_the_next_ones(self, recorder, numbers):
        head = recorder.create("banners", "{}")
        with pytest.raises(SpecError, match="The 'rows' of append must be numbered from 1"):
            recorder.append(head, [JournalRow(number, "{}", None, None) for number in numbers])
        recorder.append(head, [])
        assert recorder.head("banners").last == 0

    @pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
    def test_data_is_never_sql(self, recorder, odd):
        head = recorder.create(f"name {odd[:50]}", odd)
        row = JournalRow(1, odd, odd[:200], odd[:200])
        recorder.append(head, [row])
        assert list(map(bare, recorder.heads())) == [bare(head._replace(last=1))]
        assert contents(recorder.read(head.id, 0)) == [row]
        assert contents([recorder.find(head.id, odd[:200])]) == [row]
        assert recorder.delete(head.name)

    @pytest.mark.parametrize("odd", ["\0", "a\0b", "\ud800"])
    def test_what_no_json_holds_is_refused(self, recorder, odd):
        head = recorder.create("banners", "{}")
        for bad in (
            JournalRow(1, odd, None, None),
            JournalRow(1, "", odd, None),
            JournalRow(1, "", None, odd),
        ):
            with pytest.raises(SpecError, match="hold no NUL character"):
                recorder.append(head, [bad])
        with pytest.raises(SpecError, match="The 'start' of create"):
            recorder.create("other", odd)
        with pytest.raises(SpecError, match="The 'name' of create"):
            recorder.create(odd, "{}")
        assert not recorder.delete(odd)
        assert recorder.heads() == [head]

    def test_keys_have_a_length(self, recorder):
        head, longest = recorder.create("banners", "{}"), "\U0001f600" * 255
        recorder.append(head, _with_key(1, longest))
        assert recorder.find(head.id, longest).number == 1
        with pytest.raises(SpecError, match="The 'key' of append must have at most 255 char"):
            recorder.append(head._replace(last=1), _with_key(2, "k" * 256))

    def test_what_was_deleted_is_gone(self, recorder):
        head = recorder.create("banners", "{}")
        other = recorder.create("other", "{}")
        for each in (head, other):
            recorder.append(each, rows(1, 3, "k"))
            recorder.save_snapshot(each.id, 3, b"state")
        assert recorder.delete("banners")
        assert not recorder.delete("banners")
        assert list(map(bare, recorder.heads())) == [bare(other._replace(last=3))]
        assert recorder.find(head.id, "k-1") is None
        assert recorder.load_snapshot(head.id) is None
        assert contents(recorder.read(other.id, 0)) == rows(1, 3, "k")
        assert recorder.load_snapshot(other.id) == (3, b"state")

    def test_who_has_a_deleted_one_open_is_told(self, open_again):
        ours, theirs = open_again(), open_again()
        head = ours.create("banners", "{}")
        ours.append(head, rows(1, 3))
        assert theirs.delete("banners")
        again = theirs.create("banners", "{}")
        assert (again.last, again.id == head.id) == (0, False)
        for last in (0, 3):
            with pytest.raises(Gone, match="'banners' was deleted. Open it again"):
                ours.append(head._replace(last=last), rows(last + 1, 1, "k"))
        with pytest.raises(Gone):
            ours.read(head.id, 0)
        ours.save_snapshot(head.id, 3, b"state")
        assert ours.load_snapshot(head.id) is None

    def test_restarts_lose_nothing(self, open_again):
        first = open_again()
        head = first.create("banners", "{}")
        first.append(head, rows(1, 3, "k"))
        first.save_snapshot(head.id, 3, b"\0state\xff")
        first.close()
        second = open_again()
        assert bare(second.head("banners")) == bare(head._replace(last=3))
        assert contents(second.read(head.id, 0)) == rows(1, 3, "k")
        assert second.load_snapshot(head.id) == (3, b"\0state\xff")
        second.append(head._replace(last=3), rows(4))

    def test_the_newest_snapshot_is_kept(self, recorder):
        head = recorder.create("banners", "{}")
        recorder.append(head, rows(1, 9))
        for number, data in ((4, b"four"), (8, b"eight"), (6, b"six"), (8, b"eight again")):
            recorder.save_snapshot(head.id, number, data)
        assert recorder.load_snapshot(head.id) == (8, b"eight again")
        recorder.save_snapshot(head.id, 9, b"")
        assert recorder.load_snapshot(head.id) == (9, b"")

    def test_writers_at_once_leave_no_gap_and_no_double(self, open_again):
        head = open_again().create("banners", "{}")

        def write(index):
            recorder, here = open_again(), head
            for turn in range(20):
                here = append_at_the_end(recorder, here, "{}", f"{index}-{turn}")

        assert at_once(8, write) == [None] * 8
        found = list(open_again().read(head.id, 0))
        assert [row.number for row in found] == list(range(1, 161))
        assert {row.key for row in found} == {f"{i}-{t}" for i in range(8) for t in range(20)}

    def test_of_those_who_race_with_one_key_one_wins(self, open_again):
        head = open_again().create("banners", "{}")

        def write(index):
            append_at_the_end(open_again(), head, str(index), "the key")

        results = at_once(6, write)
        assert results.count(None) == 1
        assert all(isinstance(each, KeyTaken) for each in results if each)
        assert open_again().head("banners").last == 1

    def test_readers_see_a_prefix_at_any_time(self, open_again):
        head = open_again().create("banners", "{}")

        def work(index):
            recorder, seen = open_again(), 0
            if index == 0:
                for last in range(0, 300, 3):
                    recorder.append(head._replace(last=last), rows(last + 1, 3))
            while seen < 300:
                found = [row.number for row in recorder.read(head.id, 0)]
                assert found == list(range(1, len(found) + 1))
                assert len(found) % 3 == 0
                assert len(found) >= seen
                seen = len(found)

        assert at_once(3, work) == [None] * 3

    def test_deleting_while_others_write_leaves_nothing_behind(self, open_again):
        head = open_again().create("banners", "{}")

        def work(index):
            recorder, here = open_again(), head
            if index == 0:
                while recorder.head("banners").last < 10:
                    pass
                return recorder.delete("banners")
            try:
                while True:
                    here = append_at_the_end(recorder, here, "{}", None)
            except (Conflict, AttributeError) as error:
                return type(error)

        deleted, *others = at_once(4, work)
        assert deleted is True
        assert set(others) <= {Gone, AttributeError}  # there was no head to read on from
        assert open_again().create("banners", "{}").last == 0


def _with_key(number, key):
    return [JournalRow(number, "{}", key, "hash")]
