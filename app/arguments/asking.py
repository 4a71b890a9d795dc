"""`scribe ask` and `scribe answer`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import add_model, add_student, command
from app.arguments.values import count, not_negative, whole


def add_ask(commands: Any) -> None:
    """One question."""
    ask = command(commands, "ask", "ask one question as one student", "cli_ask:run")
    ask.add_argument("question", metavar="QUESTION")
    add_student(ask)
    ask.add_argument("--theory", metavar="nr|ac|con", help="which of the student's reports is read")
    add_model(ask)
    ask.add_argument("--json", action="store_true", help="print the record as one line of JSON, nothing else")
    ask.add_argument("--follow", metavar="RECORDS.jsonl", help="earlier records, which this question follows on")
    ask.add_argument("--seed", type=whole, metavar="N")
    ask.add_argument("--temperature", type=not_negative, metavar="T")


def add_answer(commands: Any) -> None:
    """A file of questions."""
    answer = command(commands, "answer", "answer a file of questions; run again, it goes on", "cli_answer:run")
    answer.add_argument("source", type=Path, metavar="IN", help="JSON lines, CSV, or OpenAI's batch requests")
    answer.add_argument("--out", type=Path, required=True, metavar="OUT.jsonl", help="one record a line")
    answer.add_argument("--parallel", type=count, metavar="N", help="questions at a time (of a worker)")
    answer.add_argument("--theory", metavar="nr|ac|con", help="the report that is read where a row names none")
    answer.add_argument("--order", choices=("input", "completion"), default="input", help="of the finished file")
    answer.add_argument("--openai", action="store_true", help="answer in OpenAI's form, as its requests are anyway")
    answer.add_argument("--limit", type=count, metavar="N", help="only the first N rows")
    answer.add_argument("--retry-failed", action="store_true", help="do rows again that ended in an error")
    answer.add_argument("--max-errors", type=whole, metavar="N", help="stop when more than N rows have failed")
    answer.add_argument("--fresh", action="store_true", help="throw away what OUT holds")
    answer.add_argument("--seed", type=whole, metavar="N")
    answer.add_argument("--temperature", type=not_negative, metavar="T")
    add_model(answer)
    ray = answer.add_argument_group("machines")
    ray.add_argument("--engine", choices=("local", "ray"), default="local", help="threads here, or a Ray cluster")
    ray.add_argument("--ray-address", default="", metavar="HOST:PORT", help="or auto; none starts Ray on this machine")
    ray.add_argument("--ray-workers", type=count, default=0, metavar="N", help="models in the cluster; as fit")
    ray.add_argument("--ray-cpus", type=not_negative, default=1.0, metavar="N", help="CPUs of a worker")
    ray.add_argument("--ray-gpus", type=not_negative, default=0.0, metavar="N", help="GPUs of a worker")
