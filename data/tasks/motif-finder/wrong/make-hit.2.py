                hits.append(Hit(strand, start + 1))
