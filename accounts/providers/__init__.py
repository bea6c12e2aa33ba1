"""Logging in by other providers of OpenID Connect; an application of its own for allauth's sake.

allauth finds `provider.py` and `urls.py` here by their names.
"""
