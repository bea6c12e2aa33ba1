"""The worth of positions: bgsage, nets, an exact table of Hypergammon, rules of thumb."""
