#!/bin/sh
# Runs once, when the database is created: the role of the application, which owns nothing.
# Its rights on tables come from `manage.py prepare`.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$APP_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE pasch_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SQL
