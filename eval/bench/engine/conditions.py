"""What is the same for all contenders: the model, the questions, the machine's threads, the room."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.answering import QuestionAnswerer
from eval.bench.figure import describe_machine
from eval.questions import WrittenQuestion, choose_questions
from scribe.backend import Backend
from scribe.backends.llama import LlamaBackend
from tools.assembly.model import locate_model
from tools.assembly.settings import AssistantSettings


@dataclass(frozen=True, slots=True)
class Conditions:
    """The same for all contenders. settings: of the assistant that each of them answers for."""

    questions: Sequence[WrittenQuestion]
    settings: AssistantSettings

    @property
    def model(self) -> Path:
        """The GGUF file, made ready first if need be. Raises ModelFileError if it is missing."""
        return locate_model(self.settings)

    @property
    def machine(self) -> str:
        """Where it is measured, in a line."""
        return describe_machine(self.model, self.settings.model.threads)

    def make_engine(self, at_once: int, prefixes: Path | None = None) -> LlamaBackend:
        """The engine. prefixes: a folder for the text that is the same for all students."""
        model = self.settings.model
        return LlamaBackend(self.model, model.context, model.threads, at_once, model.keep_mb, prefixes=prefixes)

    def make_answerer(self, backend: Backend) -> QuestionAnswerer:
        """The assistant over a backend, with courses and search loaded."""
        return QuestionAnswerer(self.settings, backend, self.questions)


def add_options(parser: argparse.ArgumentParser, students: int = 16, each: int = 4, parallel: int = 16) -> None:
    """The options that `read_conditions` reads, and how many questions the engine works on at once."""
    parser.add_argument("--model", type=Path, metavar="FILE", help="a GGUF file (default: the one that comes with us)")
    parser.add_argument("--students", type=int, default=students, metavar="N", help=f"default: {students}")
    parser.add_argument("--each", type=int, default=each, metavar="N", help=f"questions of each (default: {each})")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--parallel", type=int, default=parallel, metavar="N", help=f"at once (default: {parallel})")
    parser.add_argument("--keep-mb", type=int, default=2048, metavar="N", help="megabytes of prefixes kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def read_conditions(given: argparse.Namespace) -> Conditions:
    """The questions and the settings: Scribe's own, but no turn ends at a figure that the model is not certain of.

    Only models of this process can do that. Raises UsageError for more students than there are.
    """
    path = str(given.model) if given.model else None
    settings = AssistantSettings().with_changes("answer", certainty=0.0)
    settings = settings.with_changes("model", path=path, threads=given.threads, keep_mb=given.keep_mb)
    return Conditions(choose_questions(given.students, given.each), settings)
