"""Plugins: gates in other test tools. Each loads its own host only, and computes nothing itself."""
