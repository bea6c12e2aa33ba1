"""PostgreSQL and Valkey from their wheels."""
