"""The exact table of Hypergammon: how it numbers positions, and what it says about one."""
