"""The check of lengths, in tokens of the model that is to be trained."""

from collections.abc import Callable
from dataclasses import dataclass

from finetune.filtering import drop
from finetune.filtering.drop import Drop
from scribe.decoding.chat import ChatTokenizer
from scribe.records import Record
from scribe.transcript import to_messages

ListingOf = Callable[[str], str]
"""From a course's id to how its prompts list the tools."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """Limits in tokens, 0 for none: of the whole conversation as it is trained, and of the answer alone."""

    chat: ChatTokenizer
    listing: ListingOf
    longest: int
    shortest_answer: int
    longest_answer: int

    def __call__(self, record: Record) -> Drop | None:
        answer = len(self.chat.encode(record.answer or "", False))
        if answer < self.shortest_answer:
            return Drop(drop.ANSWER_TOO_SHORT, f"{answer} tokens, at least {self.shortest_answer}")
        if self.longest_answer and answer > self.longest_answer:
            return Drop(drop.ANSWER_TOO_LONG, f"{answer} tokens, at most {self.longest_answer}")
        tokens = self._whole(record) if self.longest else 0
        return Drop(drop.TOO_LONG, f"{tokens} tokens, at most {self.longest}") if tokens > self.longest else None

    def _whole(self, record: Record) -> int:
        messages = to_messages(record.trajectory, self.listing(record.task.course))
        return sum(len(ids) for ids, _ in self.chat.labelled(messages))
