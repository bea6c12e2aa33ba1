"""The database backend of the tests: PostgreSQL, with a faster way to empty it between tests."""
