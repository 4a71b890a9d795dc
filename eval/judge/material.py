"""What a judge is given of one answer: tools, report, question, trace and answer, each in a fence and defused."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
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
        ("COURSE", f"{task.about}\nThe student is to be answered in {task.language}."),
        ("REPORT", task.report),
        ("EARLIER EXCHANGES", _history(task)),
        ("QUESTION", task.question),
        ("TRACE", "\n\n".join(_traced(record.steps))),
        ("ANSWER", record.answer or ""),
    )
    return Material(tuple((name, text) for name, text in parts if text or name != "EARLIER EXCHANGES"))


def _history(task: Task) -> str:
    said = [each for past in task.history for each in (("Student:", past.question), ("Assistant:", past.answer))]
    return "\n\n".join(_under(head, text) for head, text in said)


def _traced(steps: Iterable[Step]) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        for head, text in _happened(step):
            yield _under(f"Step {number}. {head}:", text)


def _happened(step: Step) -> Iterator[tuple[str, str]]:
    """What one step was, as heads in our words and texts of others."""
    match step:
        case Act(thought, calls, observations):
            yield "Reasoning", thought
            for call, observation in zip(calls, observations, strict=True):
                yield "Called", f"{call.name} with {json.dumps(dict(call.arguments), ensure_ascii=False)}"
                yield "The tool returned" if observation.ok else "The call was refused", observation.content
        case Fault(raw, complaint):
            yield "Wrote something that was sent back", raw
            yield "Was told", complaint
        case Answer(thought, _):
            yield "Reasoning before the answer", thought


def _under(head: str, text: str) -> str:
    """A text behind its head, all further lines indented: what a model wrote must not pass for a step of its own."""
    first, *more = text.strip().splitlines() or [""]
    return "\n    ".join([f"{head} {first}", *more])
