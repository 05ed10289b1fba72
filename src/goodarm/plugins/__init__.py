"""goodarm inside other tools: each loads its host, and no other."""
