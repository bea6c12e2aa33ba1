"""Fair play in figures: who is found, and how many honest people are bothered."""
