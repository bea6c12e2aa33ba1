#!/bin/sh
# Runs once, when the database is created: the role of the application, which owns nothing.
# Its rights on tables come from `manage.py prepare`.
set -eu
export APP_PASSWORD
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\getenv password APP_PASSWORD
CREATE ROLE pasch_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SQL
