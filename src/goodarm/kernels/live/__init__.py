"""Live experiments in plain arrays: the pulls asked next and the rewards told."""
