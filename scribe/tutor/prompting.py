"""A tutoring session to the messages that a tutor's model reads, what is shared first.

Rules and task are the same for all students of a task; then comes what the tutor believes, then the dialogue, in which
the student is the user. Of the student's code only the newest is shown.
"""

from collections.abc import Mapping, Sequence

from scribe.messages import END_OF_FINAL_ANSWER, FINAL_ANSWER, Message, defuse
from scribe.tutor import prompts
from scribe.tutor.session import StudentTurn, TaskBrief, Turn, TutoringSession, TutorTurn

Belief = Mapping[str, float]
"""For each component by name the probability that the student knows it."""


def write_prompt(
    session: TutoringSession, belief: Belief | None = None, asked: Sequence[str] = (), latest: int | None = None
) -> tuple[Message, ...]:
    """The messages for the tutor's next turn.

    belief: what is told of the student's knowledge, nothing if None; asked: what the model is asked to do instead of
    its turn, behind the dialogue; latest: how many of the last turns are shown, all if None.
    """
    rules = write_rules(session.brief)
    said = rules if belief is None else f"{rules}\n\n{write_belief(session.brief, belief)}"
    dialogue = (_write_turn(session, at) for at in range(_first_shown(session, latest), len(session.turns)))
    spoken = (message for message in dialogue if message.content)
    requests = (Message("user", each) for each in asked)
    return (Message("system", said, len(rules)), Message("user", prompts.part("begin")), *spoken, *requests)


def write_rules(brief: TaskBrief) -> str:
    """Rules and task: the beginning that all prompts of a task share."""
    components = "\n".join(
        prompts.part("component").format(name=each.name, text=defuse(each.text)) for each in brief.components
    )
    return prompts.text("rules.md").format(
        language=brief.language,
        title=defuse(brief.title),
        description=defuse(brief.description.strip()),
        target=brief.target,
        stub=defuse(brief.stub.rstrip()),
        context=defuse(brief.context.strip()) or prompts.part("no_context"),
        components=components,
    )


def write_belief(brief: TaskBrief, belief: Belief) -> str:
    """What the tutor believes of the student's knowledge, a line for each component of which it believes something."""
    lines = (
        prompts.part("believed").format(name=each.name, share=f"{belief[each.name]:.0%}")
        for each in brief.components
        if each.name in belief
    )
    return prompts.part("belief").format(lines="\n".join(lines))


def find_newest_code(turns: Sequence[Turn]) -> int | None:
    """The place of the last turn in which the student showed code."""
    places = (at for at in reversed(range(len(turns))) if isinstance(turn := turns[at], StudentTurn) and turn.code)
    return next(places, None)


def _first_shown(session: TutoringSession, latest: int | None) -> int:
    return 0 if latest is None else max(0, len(session.turns) - latest)


def _write_turn(session: TutoringSession, at: int) -> Message:
    turn = session.turns[at]
    if isinstance(turn, TutorTurn):
        said = f"{FINAL_ANSWER}{defuse(turn.text)}{END_OF_FINAL_ANSWER}" if turn.text else ""
        return Message("assistant", said)
    parts = [turn.text.strip()]
    if at == find_newest_code(session.turns):
        parts.append(prompts.part("code").format(code=turn.code.rstrip()))
    if turn.results:
        parts.append(prompts.part("results").format(results=turn.results.strip()))
    return Message("user", defuse("\n\n".join(each for each in parts if each)))
