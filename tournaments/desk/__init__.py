"""Tournaments at the desk: credits for prize pools, and reports of all words of players."""
