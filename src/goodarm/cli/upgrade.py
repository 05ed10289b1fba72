"""``goodarm upgrade``: upgrade of a store to this version's schema, with chained journals."""

from goodarm.cli.output import say
from goodarm.cli.stores import Url, open_existing_store


def upgrade_store(url: Url) -> None:
    """Bring a store to this version, and give hashes to its journals.

    A store that an earlier version has made is used as it is until then. It may be interrupted, and
    run again. Make a backup first, and stop what uses the store: processes of an earlier version
    that have it open can read on, and are refused when they write.
    """
    from goodarm.cli.progress import entries_bar

    with open_existing_store(url) as store:
        sizes = dict(store.experiments())
        with entries_bar(sum(sizes.values())) as update:
            done = store.upgrade(update)
    if done.schema_before < done.schema:
        say(f"The tables are those of schema {done.schema} now; they were of {done.schema_before}.")
    for name in done.chained:
        say(f"{name}: {sizes.get(name, 0):,} entries have hashes now.")
    if not done.chained and done.schema_before == done.schema:
        say("Nothing to do: the store is of this version, and all its journals have hashes.")
