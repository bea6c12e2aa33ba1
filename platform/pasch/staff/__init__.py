"""Decisions of administrators about people and the house, and mails about what waits."""
