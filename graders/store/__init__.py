"""One SQLite file per workspace: the only place with SQL. One file per concern."""
