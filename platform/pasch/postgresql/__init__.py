"""The database backend of the house: Django's, which fails at once while PostgreSQL is away."""
