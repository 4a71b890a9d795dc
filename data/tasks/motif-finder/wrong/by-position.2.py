    return sorted(hits, key=lambda hit: (hit.strand, hit.position))
