"""Numerical functions of one arm or many: distributions, tests, bounds and random words."""
