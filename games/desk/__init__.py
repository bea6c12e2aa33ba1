"""Matches at the desk: their pages, decisions about them, and closing for new stakes."""
