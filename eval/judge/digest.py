"""Which text a verdict is of: an answer that was given anew under the same id is another."""

import hashlib
import json
from dataclasses import asdict

from scribe.records import Record


def digest(record: Record) -> str:
    """16 hexadecimal digits of question, report, earlier exchanges, steps and answer; not of times, tokens or ids."""
    task = record.task
    history, steps = [asdict(each) for each in task.history], [asdict(step) for step in record.steps]
    text = json.dumps([task.question, task.report, history, steps, record.answer], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
