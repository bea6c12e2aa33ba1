"""Bringing a library of matches: from a ZIP to reports, while others play."""
