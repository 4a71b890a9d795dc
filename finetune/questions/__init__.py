"""Questions as students might type them, drawn from known wordings or written by a language model; nobody answers here.

    python -m finetune.questions --course dsp --out questions.jsonl

`run` is the pipeline's step. A file of questions is what `scribe answer` reads; see `row`.
"""

from finetune.questions.generator import Generator
from finetune.questions.question import INTENTS, TAKEN, Question, split_students

__all__ = ["INTENTS", "TAKEN", "Generator", "Question", "split_students"]
