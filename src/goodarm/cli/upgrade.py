"""``goodarm upgrade``: upgrade of a store to this version's schema, with chained journals."""

from goodarm.cli.output import say
from goodarm.cli.stores import StoreUrl, open_existing_store


def upgrade_store(url: StoreUrl) -> None:
    """Upgrade a store that an earlier version made.

    Updates the tables, and adds hashes to the journals. You can use the store without an upgrade.

    Before you start, make a backup and stop everything that uses the store: processes of an earlier
    version can no longer write afterwards. If you interrupt the upgrade, run it again.
    """
    from goodarm.cli.progress import show_entry_progress

    with open_existing_store(url) as store:
        sizes = dict(store.experiments())
        with show_entry_progress(sum(sizes.values())) as update:
            done = store.upgrade(update)
    if done.schema_before < done.schema:
        say(f"Upgraded the tables from schema {done.schema_before} to {done.schema}.")
    for name in done.chained:
        say(f"{name}: added hashes to {sizes.get(name, 0):,} entries.")
    if not done.chained and done.schema_before == done.schema:
        say("Nothing to do: the store is up to date, and all its journals have hashes.")
