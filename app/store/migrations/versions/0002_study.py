"""The tables of a user study."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "study_participants",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("study", sa.String, nullable=False),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("cell", sa.Integer),
        sa.Column("began", sa.Double),
        sa.Column("last", sa.Double),
        sa.Column("finished", sa.Double),
        sa.Column("withdrawn", sa.Double),
        sa.Column("preferred", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_index("ix_study_participants_code", "study_participants", ["code"], unique=True)
    op.create_index("ix_study_participants_study", "study_participants", ["study"])
    op.create_table(
        "study_rounds",
        sa.Column(
            "participant_id", sa.String, sa.ForeignKey("study_participants.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("model", sa.String, nullable=False),
        sa.Column("report", sa.String, nullable=False),
        sa.Column("ended", sa.Double),
        sa.Column("rated", sa.Double),
        sa.Column("ratings", sa.JSON, nullable=False),
    )
    op.create_table(
        "study_questions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("participant_id", sa.String, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("shown", sa.Text, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("stop", sa.String, nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id", "round"], ["study_rounds.participant_id", "study_rounds.number"], ondelete="CASCADE"
        ),
    )
    op.create_index("ix_study_questions_round", "study_questions", ["participant_id", "round", "number"], unique=True)
