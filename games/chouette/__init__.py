"""The chouette: three to six people at one board, one against all others (docs/chouette.md)."""
