"""Decorators, dispatchers and caches that turn kernels into compiled code."""
