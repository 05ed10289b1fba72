"""Numbers of one arm or of many: distributions, tests, bounds and random words."""
