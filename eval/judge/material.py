"""What a judge is given of one answer: tools, report, question, trace and answer, each in a fence and defused."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.judge.defusing import defuse
from scribe.records import Record
from scribe.trajectory import Act, Answer, Fault, Step, Task


@dataclass(frozen=True, slots=True)
class Material:
    """The parts by name, in the order in which a judge reads them: what most requests share comes first."""

    parts: tuple[tuple[str, str], ...]

    def written(self, labels: Sequence[str]) -> str:
        """All parts, fenced. labels: the words before a verdict, which material must not imitate.

        The fences carry a code made of the whole material, which nobody who wrote a part of it can have known.
        """
        safe = [(name, defuse(text.strip(), tuple(labels)) or "(nothing)") for name, text in self.parts]
        code = hashlib.sha256(json.dumps(safe).encode("utf-8", "replace")).hexdigest()[:8]
        return "\n\n".join(f"<<<{name} {code}>>>\n{text}\n<<<end of {name} {code}>>>" for name, text in safe)


def of(record: Record, tools: str) -> Material:
    """The material on an answered question. tools: the listing that the assistant was shown."""
    task = record.task
    parts = (
        ("TOOLS", tools),
        ("COURSE", task.about),
        ("REPORT", task.report),
        ("EARLIER EXCHANGES", _history(task)),
        ("QUESTION", task.question),
        ("TRACE", "\n\n".join(_traced(record.steps))),
        ("ANSWER", record.answer or ""),
    )
    return Material(tuple((name, text) for name, text in parts if text or name != "EARLIER EXCHANGES"))


def _history(task: Task) -> str:
    return "\n\n".join(f"Student: {each.question}\nAssistant: {each.answer}" for each in task.history)


def _traced(steps: Iterable[Step]) -> Iterable[str]:
    for number, step in enumerate(steps, start=1):
        match step:
            case Act(thought, calls, observations):
                yield f"Step {number}. Reasoning: {thought}"
                for call, observation in zip(calls, observations, strict=True):
                    arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
                    word = "returned" if observation.ok else "refused"
                    yield f"Step {number}. Called {call.name} with {arguments}. It {word}: {observation.content}"
            case Fault(raw, complaint):
                yield f"Step {number}. Wrote something that was sent back: {raw}\nIt was told: {complaint}"
            case Answer(thought, _):
                yield f"Step {number}. Reasoning before the answer: {thought}"
