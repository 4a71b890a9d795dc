"""`scribe evaluate`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import add_model, command
from app.arguments.values import count, whole


def add(commands: Any) -> None:
    """Questions to a page."""
    what = "answer questions, judge the answers, and make the page on them; run again, it goes on"
    evaluate = command(commands, "evaluate", what, "cli_evaluate:run")
    evaluate.add_argument("source", type=Path, metavar="QUESTIONS", help="what `scribe answer` reads")
    evaluate.add_argument("--out", type=Path, required=True, metavar="DIR", help="answers, judgements, index.html …")
    evaluate.add_argument("--name", default="answers", help="how this run is called on the page (default: answers)")
    evaluate.add_argument("--beside", nargs="+", default=[], metavar="RUN", help="earlier runs to compare with")
    evaluate.add_argument("--students", type=count, metavar="N", help="ask each question as N students of its course")
    evaluate.add_argument("--limit", type=count, metavar="N", help="only the first N questions")
    evaluate.add_argument("--parallel", type=count, metavar="N", help="questions at a time")
    evaluate.add_argument("--seed", type=whole, metavar="N")
    judge = evaluate.add_argument_group("judge", "without one, only what can be counted is shown")
    judge.add_argument("--judge", metavar="MODEL", help="name at the address; local: checks by rule, without a model")
    judge.add_argument("--judge-url", metavar="URL", help="address of an OpenAI-compatible API (key: SCRIBE_API_KEY)")
    judge.add_argument("--allow-remote", action="store_true", help="reports and questions may leave this network")
    judge.add_argument("--repeats", type=count, default=1, metavar="N", help="requests for each verdict; the paper: 5")
    judge.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    judge.add_argument("--tools", type=Path, metavar="FILE", help="tools beside the course's, as for `scribe judge`")
    page = evaluate.add_argument_group("page")
    page.add_argument("--labels", type=Path, nargs="+", default=[], metavar="DIR", help="what people labelled")
    page.add_argument("--unseen", nargs="+", default=[], metavar="COURSE", help="courses not seen in training")
    add_model(evaluate)
