"""From a sheet to marks."""

from dataclasses import dataclass

from quiz.choices import parse_choices


class InvalidAnswer(Exception):
    """An option was ticked that the question does not have."""


@dataclass(frozen=True)
class Question:
    """The options of a question, in capitals, at least one of which is right, and its points."""

    options: frozenset[str]
    right: frozenset[str]
    points: float


@dataclass(frozen=True)
class Result:
    """The mark of each question, in order, and of the sheet."""

    marks: list[float]
    total: float


class Quiz:
    """Questions, and the part of a question's points that a wrong tick takes away."""

    def __init__(self, questions: list[Question], penalty: float = 0.5) -> None:
        self.questions = questions
        self.penalty = penalty

    def cost(self, question: Question) -> float:
        """What one wrong tick takes away."""
        return self.penalty * question.points

    def mark(self, sheet: dict[int, str]) -> Result:
        """The marks of a sheet; raise InvalidAnswer."""
        raise NotImplementedError
