"""What students read around an answer: what is being done, and why there is none. In the language of the question."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scribe.trajectory import Stop

ENGLISH = "English"


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language. quoted, weekly, plain: how calls of a tool are told, with what was asked, with a week, or alone.

    keys: what a key of a tool's result is called where that is not the key itself; colon: what stands after it.
    """

    quoted: Mapping[str, str]
    weekly: Mapping[str, str]
    plain: Mapping[str, str]
    other: str
    failed: str
    again: str
    dropped: str
    rests: str
    retracted: str
    stops: Mapping[Stop, str]
    found: str
    yes: str
    no: str
    colon: str = ":"
    keys: Mapping[str, str] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """A key in plain words."""
        return self.keys.get(name, name.replace("_", " "))


_ENGLISH = Phrases(
    quoted={
        "get_course_syllabus": "Reading the course rules on “{}”",
        "textbook_search": "Looking in the textbook for “{}”",
        "exercise_search": "Looking for exercises on “{}”",
        "get_feature_description": "Looking up what “{}” means",
        "impact_of_student_behaviors": "Looking at what usually helps: “{}”",
        "web_search": "Searching the web for “{}”",
    },
    weekly={
        "map_week_to_topic": "Looking up week {} in the course plan",
        "get_dependant_topics": "Checking what week {} builds on",
        "sort_student_features_with_importance": "Looking at your study behaviour in week {}",
    },
    plain={
        "grade_calculator": "Adding up your points so far",
        "sort_student_features_with_importance": "Looking at your study behaviour in all weeks",
    },
    other="Using {}",
    failed=" – that did not work",
    again="Checking again before answering",
    dropped="A draft did not hold against your report and the course data, so I dropped it.",
    rests="What this answer rests on",
    retracted="That did not hold as a whole; please disregard it",
    stops={
        Stop.UNRESOLVED: (
            "I could not put together an answer that the report and the course data support, so I would rather "
            "give none. Asking about one week, topic or behaviour at a time often helps."
        ),
        Stop.CONTEXT_FULL: (
            "This conversation has become longer than I can read at once. "
            "Please ask a shorter question or start a new conversation."
        ),
        Stop.CANCELLED: "Stopped.",
    },
    found="What I did find:",
    yes="yes",
    no="no",
)
_FRENCH = Phrases(
    quoted={
        "get_course_syllabus": "Lecture des règles du cours sur « {} »",
        "textbook_search": "Recherche de « {} » dans le manuel",
        "exercise_search": "Recherche d'exercices sur « {} »",
        "get_feature_description": "Recherche du sens de « {} »",
        "impact_of_student_behaviors": "Recherche de ce qui aide en général : « {} »",
        "web_search": "Recherche de « {} » sur le web",
    },
    weekly={
        "map_week_to_topic": "Consultation du plan du cours pour la semaine {}",
        "get_dependant_topics": "Recherche de ce qu'il faut savoir avant la semaine {}",
        "sort_student_features_with_importance": "Analyse de votre travail en semaine {}",
    },
    plain={
        "grade_calculator": "Addition de vos points jusqu'ici",
        "sort_student_features_with_importance": "Analyse de votre travail dans toutes les semaines",
    },
    other="Utilisation de l'outil {}",
    failed=" – cela n'a pas fonctionné",
    again="Nouvelle vérification avant de répondre",
    dropped="Un brouillon n'était pas confirmé par votre rapport et les données du cours ; je l'ai donc écarté.",
    rests="Sur quoi repose cette réponse",
    retracted="Ce qui précède ne tient pas dans son ensemble ; n'en tenez pas compte",
    stops={
        Stop.UNRESOLVED: (
            "Je n'ai pas réussi à formuler une réponse que le rapport et les données du cours confirment, et je "
            "préfère donc ne pas en donner. Il est souvent utile de poser une question sur une seule semaine, un seul "
            "thème ou un seul comportement à la fois."
        ),
        Stop.CONTEXT_FULL: (
            "Cette conversation est devenue trop longue pour que je puisse la lire en une fois. "
            "Posez une question plus courte ou commencez une nouvelle conversation."
        ),
        Stop.CANCELLED: "Interrompu.",
    },
    found="Voici ce que j'ai tout de même trouvé :",
    yes="oui",
    no="non",
    colon=" :",
    keys={
        "also": "voir aussi",
        "alone_fail_at": "suffit pour échouer",
        "alone_pass_at": "suffit pour réussir",
        "average_needed_in_open_work": "moyenne à obtenir sur le reste",
        "because": "car",
        "behaviour": "comportement",
        "behaviours": "comportements",
        "best_possible": "au mieux",
        "better": "mieux",
        "closest": "les plus proches",
        "closest_sections": "sections les plus proches",
        "counted_against": "a compté contre",
        "counted_for": "a compté en faveur",
        "counted_for_students": "a compté pour",
        "definition": "définition",
        "dimension": "aspect",
        "earned": "obtenu",
        "error": "refus",
        "exercises": "exercices",
        "for": "pour",
        "graded": "travaux notés",
        "graded_so_far": "déjà noté",
        "id": "numéro",
        "influence": "influence",
        "known": "aspects connus",
        "meaning": "sens",
        "measured_by": "mesuré par",
        "median": "médiane",
        "missing": "il manque",
        "more": "en plus",
        "name": "nom",
        "needs": "prérequis",
        "not_handed_in": "non rendu",
        "others": "autres aspects",
        "pass_mark": "seuil de réussite",
        "passage": "passage",
        "points": "points",
        "predicted": "prédiction",
        "quarter": "quart de la classe",
        "quizzes": "quiz",
        "recorded_weeks": "semaines enregistrées",
        "results": "résultats",
        "section": "section",
        "sections": "sections",
        "status": "état",
        "still_open": "encore ouvert",
        "text": "énoncé",
        "title": "titre",
        "to_come": "à venir",
        "topic": "thème",
        "topics": "thèmes",
        "total_influence": "influence totale",
        "week": "semaine",
        "weeks": "semaines",
        "yours": "vous",
        "yours_by_week": "vos valeurs par semaine",
    },
)


def choose_phrases(language: str) -> Phrases:
    """The words for a question in this language (`Task.language`); English for any but French."""
    return _FRENCH if language == "French" else _ENGLISH
