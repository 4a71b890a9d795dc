                hits.append((start + 1, strand))
