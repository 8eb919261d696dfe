#!/bin/sh
# The database's first start: a role that owns the database `tournament`, makes scratch copies of it, and nothing else.
set -eu
psql --no-psqlrc -v ON_ERROR_STOP=1 -v password="$DATABASE_PASSWORD" --username postgres <<'SQL'
CREATE ROLE tournament LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE tournament OWNER tournament;
SQL
