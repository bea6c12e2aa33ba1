"""Lighthouse's scores of the pages on a phone."""
