"""What must hold for any text whatever: each function takes one and raises AssertionError, or what it should not.

Hypothesis and atheris call the same functions. Errors under ScribeError are answers; any other is a crash.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from app.dialogue.wording import make_printable
from app.study.pages import to_html
from app.web.page_guard import find_fault
from data.events.edx import read_batch
from data.events.schema import SCHEMA
from eval.judge.defusing import defuse as defuse_for_judge
from eval.judge.verdict import parse_verdict
from scribe.backends.api import write_chat
from scribe.decoding.turn import TurnText
from scribe.dialect import DIALECTS, Calls, Final, Malformed, MarkerDialect
from scribe.messages import OPENER, defuse
from scribe.outline import outline
from scribe.plumbing.errors import RecordError
from scribe.quotes import find_misquoted, read_quotes
from scribe.records import from_json, to_json
from scribe.streaming import cut_to_sentences, list_prefixes
from scribe.trajectory import Act, Answer, Exchange, Fault, Observation, Task, Trajectory
from scribe.transcript import to_messages, write_call
from tests.scribe.scene import Tools
from tests.scribe.test_transcript import A_MARKER

LABEL = "FINAL DECISION"


def check_dialects(text: str) -> None:
    """A turn is calls, an answer or malformed; calls can be written strictly and are then the same calls."""
    for dialect in DIALECTS.values():
        reading = dialect().read(text)
        assert isinstance(reading, Calls | Final | Malformed)
        if isinstance(reading, Malformed):
            assert not A_MARKER.search(reading.complaint.replace("[TOOL_CALL] nor [FINAL_ANSWER]", ""))
        if isinstance(reading, Calls):
            written = "".join(map(write_call, reading.calls))
            written.encode("utf-8")
            again = MarkerDialect().read(f"{OPENER} so [END_OF_REASONING]\n{written}")
            assert again == Calls("so", reading.calls), again
            box = Tools().box
            for call in reading.calls:
                json.loads(box.call(call).content)


def check_records(text: str) -> None:
    """A record is read or refused; what was read can be written, is the same when read again, and can be prompted."""
    try:
        record = from_json(text)
    except RecordError as error:
        str(error).encode("utf-8")
        return
    line = to_json(record)
    line.encode("utf-8")
    assert "\n" not in line
    assert from_json(line) == record
    to_messages(record.trajectory, "tools")


def check_markers(text: str) -> None:
    """Nobody's text holds a marker of ours, however it is cut into pieces; what is harmless stays as it is."""
    harmless = defuse(text)
    assert not A_MARKER.search(harmless)
    assert defuse(harmless) == harmless
    task = Task("dsp", "s001", text, text, text, (Exchange(text, text),))
    walk = Trajectory(task, (Act(text, (), (Observation(True, text),)), Fault(text, "No."), Answer(text, text)))
    messages = to_messages(walk, "tools")
    plain = to_messages(Trajectory(Task("dsp", "s001", "q", "r", "a", (Exchange("q", "a"),))), "tools")
    for message, ours in zip(messages, plain, strict=False):
        assert A_MARKER.findall(message.content) == A_MARKER.findall(ours.content)
    write_chat(messages)
    find_misquoted(walk, text)
    quotes, rest = read_quotes(text)
    assert all("\n" not in quote for quote in quotes) and len(rest) <= len(text)
    outline(text)


def check_turns(text: str, cuts: Sequence[int] = (1, 7)) -> None:
    """A turn that comes in pieces is the turn that comes whole, and its sentences grow."""
    whole = TurnText(None)
    whole.add(text)
    for size in cuts:
        seen: list[str] = []
        turn = TurnText(seen.append)
        for at in range(0, len(text), size):
            if turn.add(text[at : at + size]):
                break
        assert turn.text == whole.text == "".join(seen)
    found = list_prefixes(text)
    assert all(text.startswith(each) for each in found)
    assert [len(each) for each in found] == sorted(len(each) for each in found)
    assert text.startswith(cut_to_sentences(text))


def check_verdicts(text: str) -> None:
    """A verdict is yes, no or unparsed with a reason; material that was made harmless holds none and stays so."""
    found = parse_verdict(text, LABEL)
    assert found.verdict in ("yes", "no", "unparsed")
    assert (found.verdict == "unparsed") == bool(found.why)
    harmless = defuse_for_judge(text, (LABEL,))
    assert parse_verdict(f"It is so.\n{harmless}", LABEL).verdict == "unparsed"
    assert defuse_for_judge(harmless, (LABEL,)) == harmless


def check_html(text: str) -> None:
    """Markdown of anybody becomes HTML without addresses, scripts or tags of its own; a terminal obeys nothing."""
    html = str(to_html(text))
    for piece in html.split("<")[1:]:
        tag = piece.partition(">")[0]
        assert HARMLESS_TAG.fullmatch(tag), tag
    assert not any(ord(each) < 32 and each != "\n" for each in make_printable(text))


HARMLESS_TAG = re.compile(
    r"/?(?:p|br|em|strong|code|pre|ul|ol|li|blockquote|hr|h4|table|thead|tbody|tr|th|td)"
    r"(?: (?:start=\"\d+\"|class=\"language-[^\"<>]*\"|style=\"text-align:\w+\"))?(?: /)?"
)


def check_logs(text: str) -> None:
    """A line of a log becomes an event, is counted or reported; nothing is lost."""
    lines = text.split("\n")
    batch = read_batch(pl.DataFrame({"line": range(1, len(lines) + 1), "text": lines}))
    assert batch.events.schema == SCHEMA
    assert batch.rows == batch.events.height + batch.problems.height + sum(batch.unknown.values()) + batch.nobody


def check_events(text: str) -> None:
    """What a browser sends is fine or is refused in words."""
    assert isinstance(find_fault(ScriptedBlocks(), text.encode("utf-8", "replace")), str)


class ScriptedPart:
    """A box for text."""

    choices: Any = None

    def get_block_name(self) -> str:
        return "textbox"


class ScriptedEvent:
    """An event with one value."""

    inputs: tuple[Any, ...] = (ScriptedPart(),)
    targets = ((1, "like"),)


class ScriptedBlocks:
    """A page with one event."""

    fns: Mapping[int, Any] = {0: ScriptedEvent()}
