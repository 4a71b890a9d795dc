def top_words(text: str, count: int) -> list[tuple[str, int]]:
    """The most frequent words with their numbers, at most `count`, ties in alphabetical order."""
    # <split-words>
    words = split_words(text)
    # </split-words>
    # <small-letters>
    words = [word.lower() for word in words]
    # </small-letters>
    # <stop-words>
    words = [word for word in words if word not in STOP_WORDS]
    # </stop-words>
    counts: dict[str, int] = {}
    for word in words:
        # <count-each>
        counts[word] = counts.get(word, 0) + 1
        # </count-each>
    # <order>
    ranking = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    # </order>
    # <first-ones>
    return ranking[:count]
    # </first-ones>
