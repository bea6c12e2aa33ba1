"""Roles, identities and prices: decisions of administrators that need a second person."""
