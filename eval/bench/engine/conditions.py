"""What is the same for all contenders: the model, the questions, the machine's threads, the room."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.answering import QuestionAnswerer
from eval.bench.figure import describe_machine
from eval.questions import WrittenQuestion, choose_questions
from scribe.agent import Limits
from scribe.backend import Backend, Sampling
from scribe.backends.llama import LlamaBackend
from scribe.errors import UsageError


@dataclass(frozen=True, slots=True)
class Conditions:
    """The same for all."""

    model: Path
    questions: Sequence[WrittenQuestion]
    threads: int
    by_heart: bool
    """Whether the model knows rules and tools from its training, as ours does."""
    context: int = 4096
    keep_mb: int = 2048
    limits: Limits = Limits()
    sampling: Sampling = Sampling()

    @property
    def machine(self) -> str:
        """Where it is measured, in a line."""
        return describe_machine(self.model, self.threads)

    def make_engine(self, at_once: int, prefixes: Path | None = None) -> LlamaBackend:
        """The engine. prefixes: a folder for the text that is the same for all students."""
        return LlamaBackend(self.model, self.context, self.threads, at_once, self.keep_mb, prefixes=prefixes)

    def make_answerer(self, backend: Backend) -> QuestionAnswerer:
        """An agent over a backend, with courses and search loaded."""
        answerer = QuestionAnswerer(backend, by_heart=self.by_heart, limits=self.limits, sampling=self.sampling)
        answerer.warm(self.questions[0])
        return answerer


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
    """The conditions, with the model made ready. Raises UsageError for a file that is not there."""
    if given.model is not None and not given.model.is_file():
        raise UsageError(
            f"there is no model {given.model}; give a GGUF file, or nothing for the one that comes with us"
        )
    model = given.model or open_shipped_gguf()
    questions = choose_questions(given.students, given.each)
    return Conditions(model, questions, given.threads, given.model is None, keep_mb=given.keep_mb)
