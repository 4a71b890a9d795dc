"""What counted for or against the student, and what counted more than what: for this student, or for how many."""

import re
from collections.abc import Iterator, Sequence

from scribe.grounding.facts import Sources
from scribe.grounding.sentences import Sentence
from scribe.grounding.subjects import Subject, choose, named
from scribe.grounding.words import fold, read_concepts, weigh

_MOST = re.compile(
    r"\b(?:the most\b(?! of)|most strongly|most of all|biggest|greatest|largest|strongest|heaviest|main|chief|"
    r"nothing (?:else )?(?:counted|helped|weighed|hurt|did|spoke|mattered|worked|pulled|held)|above all|(?:weighed|"
    r"counted|mattered|hurt|helped|harmed|did|spoke|worked|weighs?|counts?|matters?) (?:you |for you |"
    r"against you )?(?:the )?most|number one|ahead of everything|more than (?:anything|everything)|more than all|"
    r"everything else (?:weighed|counted|mattered)|the only|first place|top of the list|decisive|le plus\b|"
    r"avant tout|rien n'a|principal\w*|plus que tout|tout le reste|loin devant|au premier rang|"
    r"en tete|decisi\w+)")  # fmt: skip
_WEIGHT = re.compile(
    r"\b(?:count\w*|weigh\w*|matter\w*|weight|importan\w*|influence\w*|decid\w*|decisive|role|part|difference|"
    r"strength|burden|plus of|point|hurt|help\w*|harm\w*|favou?r|against you|for you|outlook|prediction|forecast|"
    r"factor|reason|compt\w+|pes\w+|poids|joue\w*|importe\w*|favorable|desservi|aide\w*|freine\w*|nui\w*|atout|"
    r"defaut|faiblesse|weakness|handicap|facteur|prevision|"
    r"spoke|worked|carried|pulled)\b")  # fmt: skip
_FOR = re.compile(
    r"\b(?:helped|help|(?:counted|most|more|worked|weighed|did|spoke|speaks|spoken) for you|in your favou?r|plus of|"
    r"biggest plus|strengths?|strong(?:est)? (?:point|side|card)|spoke for|carried|worked for|the most for|"
    r"in your favor|asset|"
    r"aide|en votre faveur|atout|servi|joue pour|positif|point fort|profite|porte)\b")  # fmt: skip
_AGAINST = re.compile(
    r"\b(?:hurt|against you|harm\w*|weighed (?:against|on|down)|held (?:you )?back|cost you|worked against|"
    r"did you (?:the most )?harm|spoke against|burden|weak(?:est)? (?:point|spot|side)|weakness|pulled .{0,24}down|"
    r"dragged|handicap|desservi|contre vous|coute|nui|frein\w*|penalise|pese (?:tres )?(?:lourd|contre)|defaveur|"
    r"point faible|"
    r"tire vers le bas)\b")  # fmt: skip
_UNDECIDED = re.compile(
    r"\b(?:could|would|might|pourrait|si vous|if you|nothing at all|nothing (?:else )?(?:spoke|stood)|no other|none|"
    r"aucune?)\b|\?"
)
_MORE = re.compile(
    r"[ ,](?:ahead of|(?:even |far |much )?more (?:important |strongly |heavily |often |weight )?than|stronger than|"
    r"more important than|outweigh\w*|outdid|(?:counted|weighed|mattered|counts|weighs|matters|helped|"
    r"hurt) more .{0,40}than|(?:had|has|carried|carries) more (?:weight|influence) .{0,24}than|(?:counted|counts|"
    r"matters|mattered|did) .{0,4}(?:for )?more .{0,30}than|before(?= the| your)|"
    r"devant|(?:bien |encore )?plus (?:fortement |souvent |lourd )?que|plus (?:\w+ ){1,5}que)(?= |$)")  # fmt: skip
_HARDLY = re.compile(
    r"\b(?:hardly|barely|scarcely|almost (?:nobody|no one|never|nothing)|next to nothing|(?:hardly any|no|little|"
    r"not any) (?:real )?(?:difference|role|part|weight|influence)|rarely|(?:does|did|do)(?:n't|"
    r" not) (?:really )?(?:matter|count|weigh)|a minor|only a few|unimportant|negligible|a peine|presque (?:personne|"
    r"pas|jamais|rien)|guere|(?:ne|n'a|n'ont) .{0,8}(?:pratiquement )?(?:pas|"
    r"peu) (?:compte|pese|joue)|peu d'(?:importance|etudiants)|rarement)\b")  # fmt: skip
_NEARLY_ALL = re.compile(
    r"\b(?:almost|nearly|practically|virtually|presque|quasiment) (?:every|all|everyone|everybody|each|tou\w+|"
    r"chacun\w*)\b|"
    r"\b(?:every (?:single )?student|all students|everybody|tous les etudiants|chaque etudiant)\b")  # fmt: skip
_HEAVY = re.compile(
    r"\b(?:heavily|a lot|very (?:strongly|much)|enormously|tres (?:lourd|fort)\w*|enormement|beaucoup (?:compte|pese|"
    r"joue))\b"
)
_MANY = re.compile(
    r"\b(?:students|course|people|nobody|no one|everyone|everybody|personne|tous|habits?|etudiant\w*|cours|habitudes|"
    r"most often|le plus souvent|personnes)\b"
)
_NOTHING = re.compile(r"\b(?:nothing|no other|rien|aucun\w*)\b.{0,40}\b(?:more|as|so|autant|plus|davantage)\b")
_NEAR = 0.05
"""Influences this near to each other are alike."""
_CLEAR, _LARGE, _SMALL = 1.0, 50.0, 50.0


def check_importance(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """A phrase for what a sentence says of weight, side or reach of behaviours if the results say otherwise."""
    if not _WEIGHT.search(sentence.text) or _UNDECIDED.search(sentence.text):
        return
    reach = _reach(sources)
    if reach and not sentence.weeks and _MANY.search(sentence.text):
        yield from _check_order(
            sentence, [(name, share) for name, share in reach if not name.name[:1].isupper()], "for students", 0.5
        )
        yield from _check_reach(sentence, reach)
    elif rows := _rows(sentence, sources):
        side = [row for row in rows if row[1] is not None]
        yield from _check_influence(sentence, side, sources)


def _check_influence(
    sentence: Sentence, rows: Sequence[tuple[Subject, bool | None, float]], sources: Sources
) -> Iterator[str]:
    good, bad = bool(_FOR.search(sentence.text)), bool(_AGAINST.search(sentence.text))
    able = [row for row in rows if good == bad or row[1] == good]
    head, _, _ = _split(sentence)
    found = _claimed(head, [row[0] for row in rows])
    own = [row for row in able if row[0] in found]
    side = "for" if good else "against"
    if good != bad and found and not own and (sentence.weeks or len(sources.rankings) == 2):
        yield f"that {named(found)} counted {side} you"
    elif good != bad and own and _HEAVY.search(sentence.text) and max(row[2] for row in own) < _NEAR:
        yield f"that {named(found)} counted much {side} you (it hardly did)"
    elif (
        found
        and own
        and not sentence.amounts
        and _HARDLY.search(head)
        and max(row[2] for row in own) >= _CLEAR
        and len(found) == 1
    ):
        yield f"that {named(found)} hardly counted"
    else:
        weighty = [(name, weight) for name, _, weight in able]
        yield from _check_order(sentence, weighty, f"{side} you" if good != bad else "", _NEAR)


def _check_order(sentence: Sentence, rows: Sequence[tuple[Subject, float]], whom: str, near: float) -> Iterator[str]:
    """A thing that is said to count most, or more than another."""
    head, tail, more = _split(sentence)
    weights: dict[Subject, float] = {}
    for subject, weight in rows:
        weights[subject] = max(weight, weights.get(subject, 0.0))
    first, second = _claimed(head, list(weights)), _claimed(tail, list(weights)) if tail else ()
    if not first or not weights:
        return
    if second and not set(first) & set(second):
        one, other = max(weights[each] for each in first), min(weights[each] for each in second)
        if (
            (one < other - near)
            if more
            else (min(weights[each] for each in first) > max(weights[each] for each in second) + near)
        ):
            yield f"that {named(first)} counted {'more' if more else 'less'} than {named(second)}"
            return
    said = _MOST.search(sentence.text)
    top = max(weights.values())
    best = [each for each, weight in weights.items() if weight >= top - near]
    if said and more and not sentence.amounts and top > 0 and not set(first) & set(best):
        yield f"that {named(first)} counted most {whom}".rstrip()


def _check_reach(sentence: Sentence, reach: Sequence[tuple[Subject, float]]) -> Iterator[str]:
    """That something counted for hardly anyone, or for nearly all."""
    text = sentence.text
    shares = [share for subject, share in reach if re.search(rf"\b{re.escape(fold(subject.name))}\b", text)]
    if not shares and (found := _claimed(text, [subject for subject, _ in reach])):
        shares = [share for subject, share in reach if subject in found]
    if shares and _HARDLY.search(text) and min(shares) >= _LARGE:
        yield f"“{sentence.raw[:60]}” (it counted for {min(shares):.0f} percent of the students)"
    elif shares and _NEARLY_ALL.search(text) and max(shares) < _SMALL:
        yield f"“{sentence.raw[:60]}” (it counted for {max(shares):.0f} percent of the students)"


def _reach(sources: Sources) -> list[tuple[Subject, float]]:
    return [(fact.subject, fact.value) for fact in sources.of("reach")]


def _rows(sentence: Sentence, sources: Sources) -> list[tuple[Subject, bool | None, float]]:
    """Behaviours with their side and influence, of the weeks that a sentence names; of one week if it names none."""
    lists = [
        (name, each.counted_for, weight, week if week is not None else each.week)
        for each in sources.rankings
        for name, week, weight in each.rows
    ]
    weeks = {week for _, _, _, week in lists}
    if not sentence.weeks and len(sources.rankings) != 2:
        return []
    if sentence.weeks and None not in weeks and not sentence.weeks <= weeks:
        return []
    return [
        (name, good, weight)
        for name, good, weight, week in lists
        if not sentence.weeks or week is None or week in sentence.weeks
    ]


def _split(sentence: Sentence) -> tuple[str, str, bool]:
    """A sentence at its "more than": what stands before and after, and whether the first is said to be more."""
    text = re.split(r",? (?:puis|then|ensuite|followed)\b", sentence.undated)[0]
    if _NOTHING.search(text):
        return text, "", True
    if not (cut := _MORE.search(text)):
        less = re.search(r"\b(?:less|fewer|moins)\b.{0,40}\b(?:than|que)\b", text)
        return (text[: less.start()], text[less.end() :], False) if less else (text, "", True)
    return text[: cut.start()], re.split(r"[;,](?= )| and (?=you)", text[cut.end() :])[0], True


def _claimed(text: str, able: Sequence[Subject]) -> tuple[Subject, ...]:
    """The behaviours that a piece of text surely speaks of."""
    local = frozenset(read_concepts(text).places)
    found = choose(dict.fromkeys(able), local, local)
    return found if len(found) <= 2 and all(weigh(each.concepts & local) >= 1.2 for each in found) else ()
