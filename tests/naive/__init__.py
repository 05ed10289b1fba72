"""Slow, obvious twins written from the papers, not from the kernels."""
