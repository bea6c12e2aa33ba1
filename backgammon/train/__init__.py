"""Training of nets by self-play, and the solver of Hypergammon."""
