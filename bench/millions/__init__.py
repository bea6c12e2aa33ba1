"""A house with a million players, and what it costs: `python -m bench.millions`."""
