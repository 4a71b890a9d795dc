"""What a judge decided, from the text of its reply; whatever is not said exactly is no verdict."""

import re
from dataclasses import dataclass

from eval.judge.judgement import Verdict

_THOUGHT = re.compile(r"\A\s*+(?:<think>)?+(.*)</think>", re.DOTALL | re.IGNORECASE)
_UNFINISHED = re.compile(r"\A\s*<think>", re.IGNORECASE)
_ORNAMENT = "*_#` \t"


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """A verdict and the reasoning before it; `why` it is unparsed, if it is."""

    verdict: Verdict
    reasoning: str
    why: str = ""


def parse_verdict(reply: str, label: str, thought: str = "", cut_off: bool = False) -> ParsedVerdict:
    """Read the verdict of a reply whose last line must be `label: YES` or `label: NO`.

    Emphasis around it, a full stop and capitals do not matter. Decisions earlier in the reply must not contradict it.
    thought: reasoning that the endpoint sent apart from the reply. What a reply thinks aloud before `</think>`, with
    or without the tag that opens it, decides nothing either, and is kept with the reasoning. Of a reply that was cut
    off nothing counts, since the decision may have been still to come.
    """
    if cut_off:
        return ParsedVerdict("unparsed", reply.strip(), "the reply was cut off")
    thinking = _THOUGHT.match(reply)
    thought = "\n".join([thought.strip(), thinking[1].strip() if thinking else ""]).strip()
    own = _THOUGHT.sub("", reply).strip()
    lines = own.splitlines()
    decisions = [_parse_decision(line, label) for line in lines]
    reasoning = "\n".join([thought, *lines[:-1]]).strip()
    if not own:
        return ParsedVerdict("unparsed", thought, "the reply is empty")
    if _UNFINISHED.match(own):
        return ParsedVerdict("unparsed", own, "the reply never ends its thinking")
    last = decisions[-1]
    if last is None:
        return ParsedVerdict("unparsed", own, f"the reply does not end with the line “{label}: YES” or “{label}: NO”")
    if set(decisions) - {None} != {last}:
        return ParsedVerdict("unparsed", own, "the reply holds both decisions")
    if not reasoning:
        return ParsedVerdict("unparsed", own, "the reply gives a decision without reasoning")
    return ParsedVerdict(last, reasoning)


def _parse_decision(line: str, label: str) -> Verdict | None:
    """What a line decides if it is a decision and nothing else; a quoted one (“> …”, "…") is none."""
    plain = line.strip(_ORNAMENT).removesuffix(".").strip(_ORNAMENT)
    match = re.fullmatch(rf"{re.escape(label)}[*_` ]*:[*_` ]*(YES|NO)", plain, re.IGNORECASE | re.ASCII)
    return None if match is None else ("yes" if match[1].upper() == "YES" else "no")
