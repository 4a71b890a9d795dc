"""One file a step, numbered; Alembic runs them by path."""
