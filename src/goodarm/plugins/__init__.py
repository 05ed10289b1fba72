"""Gates where people test: each plugin loads its own host only, and computes nothing itself."""
