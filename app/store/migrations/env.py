"""Alembic runs this file; the connection, in a transaction already, comes from `app.store.database`."""

from alembic import context

from app.store.schema import StoredRow

context.configure(connection=context.config.attributes["connection"], target_metadata=StoredRow.metadata)
context.run_migrations()
