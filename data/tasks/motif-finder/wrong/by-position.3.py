    return hits.sort(key=lambda hit: (hit.position, hit.strand))
