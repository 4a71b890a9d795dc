"""The words of rules, English and French: what they are about, what may be done with it, and opposite answers."""

import re


def _compile(table: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"(?<![a-z])(?:{pattern})(?![a-z])") for name, pattern in table.items()}


THINGS = _compile({
    "quiz": r"quiz(?:zes)?|questionnaires?", "homework": r"homework|assignments?|practical work|devoirs?|"
        r"travaux pratiques|"
    r"travail pratique|travail(?= (?:rendu|en retard|copie))", "midterm": r"mid-?term|(?:examen|"
    r"epreuve) intermediaire",
    "final": r"final(?: exam)?(?! grade| mark| result)|examen(?: final)?(?! (?:intermediaire|blanc))|exams?",
    "pitch": r"pitch", "answers": r"(?:finished |full |complete |your )?(?:solutions?|answers)(?! (?:appear|"
        r"are (?:shown|published)))|"
    r"devoirs? (?:termine|fini)s?|reponses", "lecture": r"lectures?|videos?|cours eux-memes",
})  # fmt: skip
"""What a rule is about, however it is called."""
AIDS = _compile({
    "laptop": r"laptops?|computers?|ordinateurs?|tablets?|tablettes?", "phone": r"(?:smart|mobile )?phones?|"
        r"telephones?|portables?",
    "calculator": r"(?:pocket )?calculators?|calculatrices?", "notes": r"(?:pages?|sheets?|pages? of|feuilles?|"
        r"pages de) .{0,14}notes?|"
    r"notes (?:manuscrites|personnelles)|own notes|cheat ?sheet|formulaire", "textbook": r"(?:text)?books?|"
    r"course books?|manuels?|livres?|slides",
    "dictionary": r"dictionar(?:y|ies)|dictionnaires?", "headphones": r"headphones?|earplugs|ecouteurs",
})  # fmt: skip
ACTS = _compile({
    "late": r"late(?:ness)?|days? (?:later|after)|after the (?:deadline|due date)|(?:miss|missed) (?:a|"
        r"the) (?:quiz|deadline)|en retard|retards?|apres (?:le delai|l'echeance|la fermeture|la date)|"
        r"once .{0,12}closed|hand (?:it )?in after|jours? (?:apres|plus tard)",
    "repeat": r"repeat(?:ed)?|retak\w+|redo(?:ne)?|again|a second (?:time|try)|resit\w*|take over|repass\w*|"
        r"refai\w+|refont|repet\w+|"
    r"rattrapage|reprendre", "help": r"help|ai(?: tools?)?|chatbots?|assistance|aide|ia|outils? d'ia|"
    r"intelligence artificielle|"
    r"with (?:others|other students|classmates)", "post": r"post(?:ing)?|publish|publi(?:ez|er)|posez|"
    r"upload .{0,20}forum|share",
})  # fmt: skip
"""What may or may not be done with a thing."""
NOT = r"(?:not|nothing|never|no longer|cannot|neither|nobody|no one|without|ne|n'|pas|jamais|aucun\w*|sans|ni|rien)"
NEG = rf"(?:\b{NOT}\b|n't)"
FORBIDS = re.compile(
    rf"(?:\b{NOT}|n't)\b.{{0,40}}\b(?:accept\w*|allow\w*|permit\w*|possible|post|publi(?:ez|er)|bring|use|be|etre|"
    r"repeat\w*|redo|retake|hand|hand it|pris|peuvent|peut|pouvez|pourrez|refont|autoris\w*|admis\w*|do)\b|"
    r"\b(?:cannot|can't|may not|must not|(?:do not|don't) (?!speak|say|mention|cover|name|worry|forget|panic)|"
    r"mustn't|forbid\w*|forbidden|banned|prohibit\w*|no way|without any|stays? (?:in|at)|stay away|have to stay|"
    r"has to stay|put away|leave .{0,20}(?:home|bag)|interdi\w+|proscri\w+|exclu\w*|rest\w+ (?:dans|ranges?|au fond)|"
    r"sans aucune|sans aide|refuse\w*|worth nothing|counts? (?:as|for) 0|vaut zero|compte (?:pour )?(?:0|zero)|"
    r"your own work|done alone|"
    r"too late|ne se refont pas)\b")  # fmt: skip
ALLOWS = re.compile(
    r"\b(?:may|can|could|able to|allowed|permitted|welcome to|free to|feel free|accepted|is possible|are possible|"
    r"still (?:counts?|count|earns?|marked|accepted|graded|worth)|bring|take .{0,40}with you|a second chance|pouvez|"
    r"pourrez|pourriez|peut|peuvent|possible|autorise\w*|"
    r"permis\w*|droit|accepte\w*|admis\w*|no problem|n'hesitez pas|libre de)\b")  # fmt: skip
AXES = {
    ("whether grades are rounded", "pass"): (
        rf"{NEG}.{{0,24}}(?:round|arrondi)|before (?:it is |any )?round|(?:without|sans) (?:round|arrondi)|"
        rf"nobody rounds|arrondi\w* (?:avant|vers le bas)",
        r"\bround(?!ing errors)|\barrondi",
    ),
    ("whether a part has a minimum", "pass"): (
        rf"(?:{NEG}|\bno) ?.{{0,34}}minimum|\bcan (?:still )?be (?:made up|balanced)|(?:can|could) make up|"
        rf"peut (?:etre )?(?:se )?(?:compens|rattrap)",
        r"minimum (?:of (?:its|their) own|in|for|propre|dans)|(?:has|have|with|is|a|its own) (?:a |own )?minimum|"
        r"(?:in|for|of) (?:every|each) (?:single |one of the )?part|cannot be (?:made up|balanced)|"
        r"dans chaque (?:partie|epreuve)|ne (?:peut|pourra) (?:pas )?(?:etre )?(?:se )?(?:compens|rattrap)",
    ),
    ("which result counts", "retake attempt"): (
        r"\b(?:better|best|higher|highest|meilleur\w*|plus haut\w*)\b.{0,50}\b(?:count|kept|keep|gard|reten|compte|"
        r"valid|grade)|(?:count|kept|keep|gard|reten|compte).{0,40}\b(?:better|best|higher|meilleur\w*)",
        r"\b(?:only|always|simply|toujours|seule?|that) ?(?:the |your |la |le |votre )?(?:second|last|latest|new|"
        r"first|average|dernier\w*|premier\w*|moyenne)\b.{0,40}(?:count|kept|reten|compte)|\b(?:second|last|latest|"
        r"dernier|deuxieme|average|moyenne)\w* (?:of the two |des deux )?(?:result|attempt|one|grade|mark|note|essai|"
        r"tentative|resultats?)\w*.{0,30}(?:count|kept|replac|reten|compte|rempla)|even (?:if|when) (?:it|it's|"
        r"that).{0,20}worse|meme s'il est moins|meme (?:si|quand) .{0,24}(?:moins bon|pire)",
    ),
    ("who may take part", "retake office certificate"): (
        r"\b(?:everyone|everybody|anyone|anybody|whoever|tout le monde|chacun|whether (?:you|they) (?:failed|passed)|"
        r"those who (?:have )?passed|(?:even|also) (?:after|if you) .{0,14}pass\w*|quelle que soit|meme (?:apres|"
        r"si vous) .{0,14}reuss)",
        r"\b(?:only|just|reserved|seul\w*|uniquement|reserve\w*)\b.{0,44}(?:fail|below|under|not pass|pas atteint|"
        r"inferieur|echou|sous)|(?:dont la note .{0,24}(?:inferieure|sous)|n'ont pas atteint)|no way to improve|"
        r"if you (?:have )?passed.{0,30}(?:cannot|can't|may not)",
    ),
    ("how often", "retake"): (
        r"\b(?:only once|once(?=[ ,.]*(?:$|in|by|and|at|the|par|,))|one (?:more )?(?:time|try)|une (?:seule )?fois)\b",
        r"\b(?:twice|two times|three times|several times|as often as|as many times|unlimited|deux fois|trois fois|"
        r"plusieurs fois|autant de fois|illimite\w*)\b",
    ),
    ("how points are lost", "late"): (
        r"\b(?:per day|each day|every day|a day|for each|par jour|chaque jour)\b",
        r"\b(?:taken off once|only once|once in all|in (?:total|all)|no matter how|whatever the|une seule fois|"
        r"en tout|quel que soit)\b",
    ),
    ("whether attendance counts", "attendance"): (
        rf"{NEG} (?:\w+ )?(?:recorded|checked|taken|required|compulsory|mandatory|controlee?|obligatoire)|voluntary|"
        rf"optional|facultati\w+",
        r"\b(?:recorded|checked|compulsory|mandatory|obligatoire|controlee?|costs? .{0,16}points?|counts? towards)\b",
    ),
    ("whether others' results count", "curve"): (
        r"\b(?:no curve|not? .{0,16}curve|(?:not|ne) .{0,10}dep\w+|costs you nothing|bareme est fixe|pas ajuste\w*)",
        r"\b(?:on a curve|curved|depends? on (?:how )?(?:the )?other|depend\w* (?:des|de celui des) autres|adjusted|"
        r"ajuste\w*)\b",
    ),
    ("which way a new marking can go", "regrade"): (
        r"\b(?:up or down|rise or fall|monter ou baisser|(?:fall|down|baisser|descendre|lower) (?:too|aussi|as well)|"
        r"also (?:fall|go down|drop))",
        r"\b(?:only (?:go up|rise|improve)|(?:cannot|can't|never|not) (?:go down|fall|drop|get worse|lose)|"
        r"nothing to lose|ne (?:peut|pourra) (?:que monter|pas (?:baisser|descendre))|sans risque|no risk)\b",
    ),
    ("whether it stays private", "ill"): (
        rf"\b(?:kept private|stays? private|confidential\w*)|{NEG} (?:\w+ )?(?:passed on|told|transmi\w*|"
        rf"communique\w*|shared)",
        r"\b(?:passed on|will (?:be told|know|hear)|informe\w*|transmi\w*|communique\w*|"
        r"shared with)\b.{0,30}(?:teachers?|enseignant\w*|team|equipe)?",
    ),
    ("where it takes place", "exam office"): (
        r"\b(?:on campus|sur place|en salle|in (?:the|a) (?:room|hall))\b", r"\b(?:online|at home|from home|"
        r"en ligne|a (?:la maison|distance)|oral(?:ly)?|remote\w*)\b",
    ),
    ("what illness costs", "ill"): (
        rf"(?:{NEG}|\bno) ?.{{0,14}}(?:points? )?.{{0,12}}(?:taken off|deducted|retire|perd)|spares? you|sans perdre",
        r"\b(?:ill|illness|sick|malad\w+)\b.{0,60}\b(?:still (?:lose|cost)|also lose|lose|taken off|perd\w*|"
        r"retire\w*|no excuse)\b",
    ),
    ("who decides alone", "regrade"): (
        r"\b(?:an?other|different|second|autre) (?:assistant|person|personne|teacher|"
        r"correcteur)", r"\bthe same (?:assistant|person|teacher)|(?:la|le) meme (?:personne|assistant|correcteur)",
    ),
}  # fmt: skip
"""Questions that rules answer, each with two opposite answers. The first is looked for first."""
FIELDS = _compile({
    "retake": r"retak\w+|resit\w*|rattrapage|repass\w*|second (?:try|time|result)|second resultat|"
        r"deux (?:resultats|notes)", "attempt": r"attempts?|try|tries|essais?|tentatives?",
    "late": r"late|retards?", "attendance": r"attend\w*|presence", "regrade": r"regrad\w*|recorrection|"
        r"new marking|correction|looks? at",
    "office": r"office hours?|permanences?", "certificate": r"certificat\w*", "pass": r"pass\w*|round\w*|"
        r"minimum|arrondi\w*|reuss\w*|seuil|compens\w*|made up|make up|part",
    "ill": r"ill|illness|sick|malad\w+", "exam": r"exams?|final|midterm|examen|epreuve", "curve": r"curve\w*|"
        r"others?|autres|other students",
})  # fmt: skip
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?"
DAY += "|dimanches?"
WEEK = ("mon", "lun", "tue", "mar", "wed", "mer", "thu", "jeu", "fri", "ven", "sat", "sam", "sun", "dim")
HELD = re.compile(
    rf"(?:office hours?|permanences?|closes?|ferme\w*|due|"
    rf"a rendre)\b[^.;]{{0,46}}?\b({DAY})\b(?: (?:and|et|or|ou) (?:le )?({DAY}))?"
)
CLOCK = re.compile(
    r"\b(?:from|between|de|entre) (\d{1,2})(?: h| heures| o'clock)? (?:to|and|a|et|"
    r"until) (\d{1,2})\b(?! (?:percent|pour))"
)
LIMIT = re.compile(
    r"(?:at most|only|pendant|up to|jusqu'a|au plus) (\d+|un|deux|trois|one|two|three) (?:days?|"
    r"jours?)"
)
DAYS_LATE = re.compile(
    r"(\d+|two|three|four|five|six|deux|trois|quatre|cinq|six) (?:\w+ )?(?:days?|"
    r"jours?) (?:late|later|de retard|apres|after)"
)
SILENT = re.compile(
    r"\b(?:rules?|syllabus|reglement)\b.{0,30}\b(?:forbids?|bans?|prohibits?|allows?|permits?|"
    r"requires?|demands?|says? that|interdi\w*|autoris\w*|exige\w*|impose\w*|prevoi\w*)"
)
ASKS = re.compile(r"\?|\b(?:if only|as if|would be nice)\b")
