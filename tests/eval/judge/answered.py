"""Answered questions to be judged, and judges to ask, for the tests here."""

from collections.abc import Sequence

from eval.judge import rubric
from eval.judge.asking import EndpointJudge, JudgeEndpoint, JudgeSampling, RateLimit
from eval.judge.items import JudgeCase, JudgeItem, make_items
from eval.judge.judgement import Judgement
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory

REPORT = "In week 5 your quiz score was 77 percent. Your sessions were few."
TOOLS = "- map_week_to_topic(week: integer 1-10): The topics of a week."


def record(
    text: str = "Week 6 is about sampling. Start with the first exercise.",
    id: str = "q1",
    question: str = "What is week 6 about?",
    called: str = "map_week_to_topic",
    language: str = "English",
) -> Record:
    """A question that one call answered."""
    act = Act("I look.", (Call(called, {"week": 6}),), (Observation(True, '{"week": 6, "says": "sampling"}'),))
    task = Task("dsp", "s030", question, REPORT, language=language)
    done = Trajectory(task).then(act).then(Answer("Enough.", text)).ended(Stop.ANSWERED)
    return Record.of(done, id, {"name": "scripted"})


def items(
    records: Sequence[Record], endpoint: JudgeEndpoint, criteria: Sequence[str] = ("relevance",), repeats: int = 1
) -> list[JudgeItem]:
    """What there is to be judged of them."""
    cases = [JudgeCase("run", each) for each in records]
    return make_items(
        cases, rubric.load(wanted=criteria), repeats, lambda _: {"map_week_to_topic": TOOLS}, endpoint.identity
    )


def asking(url: str, retries: int = 2, sampling: JudgeSampling | None = None) -> EndpointJudge:
    """Asks without waiting between tries."""
    endpoint = JudgeEndpoint(url, "some-judge", sampling or JudgeSampling())
    return EndpointJudge(endpoint, RateLimit(sleep=lambda _: None), retries, pause=0.0)


def judged(asks: EndpointJudge, each: Record) -> Judgement:
    """The judgement on one answer by one criterion."""
    made = asks.judge(items([each], asks.endpoint)[0], lambda: False)
    assert made is not None
    return made
