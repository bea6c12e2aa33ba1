"""Backups of the database, and restoring them to any moment."""
