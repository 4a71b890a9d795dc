"""Conversations of several students about several reports, and their rows."""

from pathlib import Path

from finetune.examples.rows import TokenRow, make_row
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Stop, Trajectory
from tests.scribe.scene import Tools, task

LISTING = Tools().box.listing
WRONG = Fault("[REASONING] I know. [END_OF_REASONING]\n[FINAL_ANSWER]99[END_OF_FINAL_ANSWER]", "Not so.")


def look(week: int) -> Act:
    heard = Observation(True, f'{{"week": {week}, "title": "Filters"}}')
    return Act(f"I look up week {week}.", (Call("map_week_to_topic", {"week": week}),), (heard,))


def conversation(report: int, number: int) -> Trajectory:
    """One of several questions about one of several reports: with a second call, a fault, or no call at all."""
    steps: list[Act | Fault | Answer] = [look(number)] if number % 4 else []
    steps += [look(number + 1)] if number % 4 == 2 else [WRONG] if number % 4 == 3 else []
    steps.append(Answer("I know it now.", f"In week {number} it is Filters, says report {report}."))
    asked = task(f"What is week {number} about?", report=f"Report {report}: you watched {report + 5} videos.")
    return Trajectory(asked, tuple(steps), Stop.ANSWERED)


def make_rows(base: Path) -> list[TokenRow]:
    """Rows of three reports with six questions each, in the chat format of a model."""
    chat = chat_tokenizer(base)
    pairs = [(report, number) for report in range(3) for number in range(1, 7)]
    made = [make_row(f"r{report}-{n}", conversation(report, n), LISTING, chat, 4000) for report, n in pairs]
    return [each for each in made if isinstance(each, TokenRow)]


def write_records(path: Path, *trajectories: Trajectory) -> Path:
    records.write(path, (Record.of(each, f"q{place}", {}) for place, each in enumerate(trajectories)))
    return path
