"""Attacks that once worked against a running house, one file each; docs/security.md lists them."""
