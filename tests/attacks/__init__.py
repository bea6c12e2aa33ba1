"""Attacks that once worked against a running house, one file each, listed in docs/security.md."""
