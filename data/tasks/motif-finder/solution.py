def find_motif(sequence: str, motif: str, tolerance: int = 0) -> list[Hit]:
    """The occurrences of a motif of at least one letter, at most `tolerance` bases of which do not fit."""
    # <capitals>
    sequence, motif = sequence.upper(), motif.upper()
    # </capitals>
    # <other-strand>
    patterns = {"+": motif, "-": reverse_complement(motif)}
    # </other-strand>
    # <own-reverse>
    if patterns["-"] == patterns["+"]:
        del patterns["-"]
    # </own-reverse>
    hits: list[Hit] = []
    for strand, pattern in patterns.items():
        # <starts>
        starts = range(len(sequence) - len(pattern) + 1)
        # </starts>
        for start in starts:
            # <window>
            window = sequence[start : start + len(pattern)]
            # </window>
            # <mismatches>
            mismatches = sum(not fits(base, letter) for base, letter in zip(window, pattern))
            # </mismatches>
            # <tolerance>
            found = mismatches <= tolerance
            # </tolerance>
            if found:
                # <make-hit>
                hits.append(Hit(start + 1, strand))
                # </make-hit>
    # <by-position>
    return sorted(hits, key=lambda hit: (hit.position, hit.strand))
    # </by-position>
