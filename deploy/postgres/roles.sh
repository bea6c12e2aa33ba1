#!/bin/sh
# Runs once, when the database is created: the role of the application, which owns nothing.
# Its rights on tables come from `manage.py prepare`. The log of the database has no values.
set -eu
export APP_PASSWORD
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\getenv password APP_PASSWORD
SELECT current_database() AS house \gset
ALTER DATABASE :"house" SET log_error_verbosity = terse;
ALTER DATABASE :"house" SET log_min_error_statement = panic;
ALTER DATABASE :"house" SET log_parameter_max_length = 0;
ALTER DATABASE :"house" SET log_parameter_max_length_on_error = 0;
CREATE ROLE pasch_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SQL
