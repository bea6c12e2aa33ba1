"""Deleting an account: the request, the waiting time, the end (docs/people.md)."""
