    motif = motif.upper()
