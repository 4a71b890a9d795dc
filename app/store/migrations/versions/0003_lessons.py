"""The table of lessons with the coding tutor."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lessons",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("task", sa.String, primary_key=True),
        sa.Column("language", sa.String, primary_key=True),
        sa.Column("saved", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("last", sa.Double, nullable=False),
    )
