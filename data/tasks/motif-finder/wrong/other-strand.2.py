    patterns = {"+": motif, "-": motif.translate(COMPLEMENTS)}
