"""Dialogues worth learning from, as JSON lines, and each of their tutor's turns as a row to train on."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from finetune.examples.rows import CONTEXT, FIRST, TokenRow
from finetune.tutoring.playing import PlayedDialogue
from finetune.tutoring.sheets import write_turn
from scribe.decoding.chat import ChatTokenizer
from scribe.messages import Message
from scribe.plumbing.files import write_text
from scribe.tutor.prompting import write_prompt
from scribe.tutor.session import TutorTurn


def choose_dialogues(ended: Iterable[PlayedDialogue]) -> tuple[list[PlayedDialogue], Counter[str]]:
    """The dialogues whose student passes more tests after than before, and why others were dropped."""
    kept, dropped = list[PlayedDialogue](), Counter[str]()
    for each in ended:
        if each.end == "refused":
            dropped["a turn was refused too often"] += 1
        elif each.after <= each.before:
            dropped["the student passes no more tests than before"] += 1
        else:
            kept.append(each)
    return kept, dropped


def write_dialogues(path: Path, kept: Sequence[PlayedDialogue]) -> None:
    """Write a line for each dialogue, whole or not at all; the task's text is left out, since its id names it."""
    lines = []
    for each in kept:
        told = {**asdict(each.plan), "end": each.end, "before": each.before, "after": each.after}
        turns = [{"role": _name_role(turn), **asdict(turn)} for turn in each.session.turns]
        lines.append(json.dumps({**told, "turns": turns}, ensure_ascii=False) + "\n")
    write_text(path, "".join(lines))


def make_rows(dialogue: PlayedDialogue, chat: ChatTokenizer, max_length: int) -> tuple[list[TokenRow], int]:
    """A row for each tutor's turn behind exactly the prompt that runs, and how many were longer than `max_length`.

    One for each, since of the student's code a prompt shows only the newest: no later prompt begins with an earlier.
    """
    rows, long = list[TokenRow](), 0
    session = dialogue.session
    for at, turn in enumerate(session.turns):
        if not isinstance(turn, TutorTurn):
            continue
        prompt = write_prompt(replace(session, turns=session.turns[:at]))
        row = _make_row(f"{dialogue.plan.id}#{at // 2 + 1}", prompt, write_turn(turn.thought, turn.text), chat)
        if len(row.ids) <= max_length:
            rows.append(row)
        else:
            long += 1
    return rows, long


def _make_row(id: str, prompt: Sequence[Message], said: str, chat: ChatTokenizer) -> TokenRow:
    ids = chat.start_ids()
    parts, prefix = [CONTEXT] * len(ids), 0
    for message in (*prompt, Message("assistant", said)):
        for new, written in chat.labelled_message(message):
            ids += new
            parts += [FIRST if written else CONTEXT] * len(new)
        prefix = prefix or len(ids)
    return TokenRow(id, np.array(ids, np.int32), np.array(parts, np.int8), prefix)


def _name_role(turn: object) -> str:
    return "tutor" if isinstance(turn, TutorTurn) else "student"
