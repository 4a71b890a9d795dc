"""Candidates without a language model: as many as asked for, and the first is what the varied tutor says."""

from finetune.verifier.drawing_tutor import DrawingTutor
from finetune.verifier.varied_tutor import VariedTutor
from scribe.tutor.session import StudentTurn, TutoringSession
from scribe.verify.choosing import RandomChoice, VerifiedChoice
from tests.scribe.tutor.lesson import BRIEF
from tests.scribe.verify.scripted import ScriptedVerifier

SESSION = TutoringSession(BRIEF).then(StudentTurn("What about the discount?"))


def test_one_candidate_is_the_varied_tutor() -> None:
    for seed in range(10):
        said = DrawingTutor(RandomChoice(), 1, "one").speak(SESSION, seed)
        assert said.text == VariedTutor().speak(SESSION, seed).text


def test_of_many_candidates_the_verifiers_is_said_and_all_are_kept() -> None:
    said = DrawingTutor(VerifiedChoice(ScriptedVerifier(lambda text: len(text) / 1000)), 12, "many").speak(SESSION, 3)
    assert len(said.candidates) == 12
    assert len({each.text for each in said.candidates}) > 6
    best = max(said.candidates, key=lambda each: each.reward or 0.0)
    assert said.text == best.text
