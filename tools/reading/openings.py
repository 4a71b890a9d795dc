"""How a question or an order begins, in English and French as students type them: patterns to find parts with."""

FILLERS = (
    r"(?:(?:ok|okay|so|hi|hey|hello|honestly|please|pls|plz|maybe|perhaps|btw|by the way|just|like|actually|sorry|"
    r"if possible|anyway|well|um+|euh|bonjour|salut|coucou|si possible|stp|svp|s'il (?:te|vous) pla[iî]t|peut-être|"
    r"du coup|donc|alors|bon|bah|ben|franchement|honnêtement|au passage|sinon|merci|thx|thanks|but|mais|also|then|"
    r"and|et|n|secondly|first|first of all|d'abord|enfin|in general|at the same time|en même temps)[\s,.…!]+)*"
)
_EN_WORDS = (
    r"(?:what|wat|wht|what'?re|which|wich|where|how|hw|why|who|whose)(?:'?s|'re|'d)?\b(?! a )|"
    r"when(?:'?s| is| are| do| does| did| can| will| should| was| were| must)\b|"
    r"(?:in|on|at|for|from|by|until|with|to) (?:what|which|when|how|whom?)\b"
)
_EN_SUBJECT = (
    r"(?:i|you|u|ya|we|it|they|there|this|that|these|those|the|my|your|our|any|anything|an?|everyone|everybody|"
    r"someone|students|people|weeks?|each|he|she|one|\w+ing)\b"
)
_EN_AUXILIARY = (
    rf"(?:do|does|did|is|are|am|was|were|can|could|will|would|should|shall|must|may|isn'?t|aren'?t|don'?t|doesn'?t|"
    rf"didn'?t|can'?t|won'?t|wasn'?t) {_EN_SUBJECT}|(?:have|has|had|haven'?t) (?:i|you|u|we|they|it)\b|"
    r"(?:can|could|would|will) (?:u|you)\b|got any\b|any(?:thing| ?one|where)? \w+"
)
_FR_WORDS = (
    r"est[- ]ce\b|qu['\s]?est|quest[- ]?ce|kes(?:ke|t)|c(?:'|\s)?(?:est|t) quoi|c quoi|"
    r"c'?est (?:quand|où|ou|combien)\b|"
    r"qu'(?:ai|a|y|en|est|il)\b|que (?:dois|faut|puis|veut|faire|signifie|dit|disent|vaut|me|faudrait|se)\b|quoi faire|"
    r"quel(?:le)?s?\b|lequel|laquelle|combien|cb\b|comment\b|pourquoi\b|pk\b|"
    r"(?:où|ou) (?:est|sont|trouver|puis|je|j'|en|ai|suis|on|se|dois|peut)\b|"
    r"où\b|quand (?:est|c'est|sont|aura|a lieu|ont|dois|faut|puis|on)\b|qui (?:est|sont|peut)\b|"
    r"(?:à|a|sur|de|par|dans|en|avec|pour|jusqu'à) (?:quoi|qui|quel(?:le)?s?|combien|quand|où)\b"
)
_FR_VERBS = (
    r"(?:il )?y[' ]?a(?:urait)?\b|y a-t-il|ya\b|"
    r"(?:j'en|jen|j'ai|jai|g|je \w+|on \w+|il (?:me )?\w+|[çc]a \w+|tu \w+|vous \w+|t'\w+)(?: \w+){0,2} "
    r"(?:quoi|combien|cb|où|ou|quand|comment)\b|"
    r"(?:puis|dois|peux|pouvez|ai|suis|avez|as|est|sont|faut|a|vais|peut|doit|fais|faites|devrais|pourrais|pourriez|"
    r"pourrait|aurais|auriez|sais|savez|connais|connaissez|aura)[- ](?:t-)?(?:je|j|tu|vous|on|il|elle|nous|ils)\b|"
    r"(?:tu|vous) (?:peux|pouvez|pourrais|pourriez|as|avez|aurais|auriez|sais|savez)\b|t'(?:as|aurais)\b|"
    r"(?:le |la |les |l'|mon |ma )\w+ (?:c'?est|[çc]a \w+) "
    r"(?:quoi|combien|où|ou|quand|comment|(?:en|à|a|de|dans|pour) quel(?:le)?s?)\b|"
    r"faut[- ]il|il (?:me )?(?:faut|manque) combien"
)
ORDER = (
    r"(?:(?:i|i'd|id) )?(?:wanna|would like to|like to) know\b|"
    r"(?:je )?(?:voudrais|aimerais) savoir\b|"
    r"(?:give|tell|show|explain|list|find|recommend|suggest|remind|describe|calculate|compute|point|name|help|compare|"
    r"summari[sz]e|send|donnez?|dis|dites|montrez?|expliquez?|trouvez?|proposez?|listez?|rappelez?|rappelle|conseillez?|"
    r"calculez?|comparez?|résumez?|indiquez?|aidez?)(?:[- ]|\b)(?:me|moi|us|the|my|a|an|some|what|how|why|which|to|if|"
    r"whether|all|exercises|week|le|la|les|un|des|l'|ma|mon|mes|pourquoi|comment|combien|quel\w*|si|ce|où|\w+)\b"
)
_WANTED = (
    r"(?:some |des |les |more )?(?:exercises?|exos?|exercices?|topics?|thèmes?|sujets?|practice) "
    r"(?:on|for|about|of|sur|pour|de|des|in)\b"
)
OPENING = "|".join((_EN_WORDS, _EN_AUXILIARY, _FR_WORDS, _FR_VERBS, ORDER, _WANTED))
"""Begins a question or an order."""
INDIRECT = (
    r"(?:if|whether) (?:i|i'm|im|it|we|there|that|the|my|you)\b|(?:si|s'il|s'ils) ?\w+|ce qu(?:i|e|')|"
    r"me (?:donner|proposer|trouver|conseiller)\b"
)
"""Begins a question only behind "tell me"."""
WEAK = r"(?:je|on) (?:peux|peut|dois|doit|vais|va) (?!pas\b|plus\b|jamais\b|rien\b)\w+|des (?:exos?|exercices?)\b"
"""Begins a question as French is spoken, where no condition stands before it."""
