"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "conversations",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("course", sa.String, nullable=False),
        sa.Column("student", sa.String, nullable=False),
        sa.Column("theory", sa.String, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("last", sa.Double, nullable=False),
    )
    op.create_index("ix_conversations_person", "conversations", ["person", "course"])
    op.create_table(
        "turns",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("conversation_id", sa.String, sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("course", sa.String, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("stop", sa.String, nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("failed_calls", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
    )
    op.create_index("ix_turns_conversation", "turns", ["conversation_id", "number"], unique=True)
    op.create_index("ix_turns_course", "turns", ["course", "asked"])
    op.create_table(
        "ratings",
        sa.Column("turn_id", sa.String, sa.ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("thumb", sa.Integer),
        sa.Column("scales", sa.JSON, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("given", sa.Double, nullable=False),
        sa.Column("withdrawn", sa.Double),
    )
    op.create_index("ix_consents_person", "consents", ["person"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_table(
        "asked",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_asked_person", "asked", ["person", "at"])
    op.create_table(
        "running",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("ticket", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
