"""What people see who label answers: the answer, how it came about, and a criterion that it meets or not."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from jinja2 import Environment

from app.web.marking import MarkingRoom
from eval.agreement.labelling import LabelItem, Labelling, LabelRequest
from eval.judge.rubric import Rubric
from scribe.records import Record

ANSWER = Environment(autoescape=True).from_string(
    Path(__file__).with_name("labelling.html.jinja").read_text(encoding="utf-8")
)


class LabellingRoom(MarkingRoom[LabelItem, Rubric, bool]):
    """Who labels which answers.

    tools: the listing of the tools that a record's assistant could call, for people see what a judge sees.
    Raises UsageError or RecordError for a person's name or file.
    """

    title = "labelling"
    heading = "Is this answer as it should be?"
    choices = (("yes", "Yes (Y or 1)"), ("no", "No (N or 2)"))
    keys = (
        "Keys: Y or 1 for yes, N or 2 for no, S to leave it for later, U to take the last one back; "
        "R opens the report, T the tools."
    )

    def __init__(
        self,
        items: Sequence[LabelItem],
        rubrics: Sequence[Rubric],
        folder: Path,
        people: Sequence[str],
        tools: Callable[[Record], str],
    ) -> None:
        self._tools = tools
        super().__init__(people, lambda person: Labelling(items, rubrics, folder, person))

    def read_choice(self, button: str, person: str, item: LabelItem) -> bool:
        return button == "yes"

    def show_item(self, person: str, item: LabelItem) -> str:
        """The answer with all that a judge is given."""
        record, to_json = item.record, partial(json.dumps, ensure_ascii=False)
        return ANSWER.render(record=record, task=record.task, tools=self._tools(record), to_json=to_json)

    def show_criterion(self, person: str, asked: LabelRequest) -> str:
        rubric = asked.rubric
        before = "" if asked.given is None else f"<p>You said {'yes' if asked.given else 'no'} before.</p>"
        return (
            f"<h2>{escape(rubric.title)}</h2><p><b>Yes:</b> {escape(rubric.yes)}</p>"
            f"<p><b>No:</b> {escape(rubric.no)}</p>{before}"
        )
