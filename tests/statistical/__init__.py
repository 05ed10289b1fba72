"""Error rates: computed exactly where that is possible, simulated with fixed seeds elsewhere."""
