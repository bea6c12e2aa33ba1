"""The database backend of the tests: PostgreSQL as ever, emptied faster between tests."""
