"""Simulated runs: reward tapes, the plain loop and the fast loops that equal it."""
