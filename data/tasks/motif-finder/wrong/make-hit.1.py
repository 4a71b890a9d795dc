                hits.append(Hit(start, strand))
