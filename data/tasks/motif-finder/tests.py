from dna.motifs import Hit, find_motif


def told(sequence, motif, tolerance=0):
    """The hits as pairs."""
    hits = find_motif(sequence, motif, tolerance)
    assert all(isinstance(hit, Hit) for hit in hits)
    return [(hit.position, hit.strand) for hit in hits]


def test_positions_are_counted_from_one():
    assert told("GGACCT", "GGA") == [(1, "+")]
    assert told("CCGGAC", "GGA") == [(3, "+")]


def test_a_motif_can_stand_at_the_very_end():
    assert told("CCCGGA", "GGA") == [(4, "+")]


def test_an_occurrence_needs_room_for_the_whole_motif():
    assert told("CCCGG", "GGA") == []
    assert told("GG", "GGA") == []


def test_occurrences_may_overlap():
    assert told("CAAAAC", "AAA") == [(2, "+"), (3, "+")]


def test_capitals_do_not_matter():
    assert told("ccggac", "Gga") == [(3, "+")]


def test_a_letter_can_stand_for_several_bases():
    assert told("GAAGGAGCA", "GRA") == [(1, "+"), (4, "+")]
    assert told("GAAGGAGCA", "GNA") == [(1, "+"), (4, "+"), (7, "+")]


def test_the_other_strand_has_the_reverse_complement():
    assert told("CCGTTC", "GAAC") == [(3, "-")]


def test_neither_the_complement_nor_the_reverse_alone_is_the_other_strand():
    assert told("CTTG", "GAAC") == []
    assert told("CAAG", "GAAC") == []


def test_a_motif_that_is_its_own_reverse_complement_is_found_once():
    assert told("TTGATCTT", "GATC") == [(3, "+")]


def test_a_motif_that_reads_the_same_backwards_is_still_looked_for_on_both_strands():
    assert told("CTGTC", "ACA") == [(2, "-")]


def test_as_many_bases_as_tolerated_may_fail_to_fit():
    assert told("CAACAAC", "AAAAA", 1) == [(2, "+")]
    assert told("CACACAC", "AAAAA", 2) == [(2, "+")]


def test_more_bases_than_tolerated_may_not_fail_to_fit():
    assert told("CAACAAC", "AAAAA") == []
    assert told("CACACAC", "AAAAA", 1) == []


def test_hits_of_both_strands_are_ordered_by_position():
    assert told("TCCAGGATCC", "GGA") == [(1, "-"), (5, "+"), (8, "-")]
