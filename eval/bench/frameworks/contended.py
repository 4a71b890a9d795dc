"""What a framework did, and its row of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEAD = (
    "| | answers a minute | requests a question | prompt tokens | evaluated | written "
    "| ms a question | in the model | in tools | outside the server |\n|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Contended:
    """What one contender did. seconds: of the clock, for all questions; outside: those in which the server was idle.

    read: tokens of all prompts; evaluated: those of them that were not in the model's cache; written: by the model.
    tool_seconds: of all calls together, at the server. versions: of the packages that made up the framework.
    """

    name: str
    answers: tuple[str, ...]
    seconds: float
    requests: int
    read: int
    evaluated: int
    written: int
    model_seconds: float
    tool_seconds: float
    outside: float
    versions: Mapping[str, str]

    @classmethod
    def of(cls, name: str, said: Mapping[str, Any]) -> "Contended":
        """From what the framework's process printed, see `loopback.run`."""
        counts, seconds = said["counts"], said["seconds"]
        return cls(
            name,
            tuple(said["answers"]),
            seconds,
            counts["requests"],
            counts["prompt_tokens"],
            counts["evaluated"],
            counts["written"],
            counts["model_seconds"],
            counts["tool_seconds"],
            seconds - counts["busy_seconds"],
            said["versions"],
        )

    @property
    def questions(self) -> int:
        """How many were answered."""
        return len(self.answers)

    @property
    def rate(self) -> float:
        """Answers per minute."""
        return 60 * self.questions / self.seconds

    @property
    def row(self) -> str:
        """A row of the table under HEAD; milliseconds are means per question."""
        number = self.questions
        spent = (self.seconds, self.model_seconds, self.tool_seconds, self.outside)
        each = " | ".join(f"{1000 * seconds / number:.1f}" for seconds in spent)
        asked = f"{self.requests / number:.2f} | {self.read} | {self.evaluated} | {self.written}"
        return f"| {self.name} | {self.rate:.1f} | {asked} | {each} |"
