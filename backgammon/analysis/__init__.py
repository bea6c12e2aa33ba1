"""Matches and positions judged by an engine, as plain values for JSON."""
