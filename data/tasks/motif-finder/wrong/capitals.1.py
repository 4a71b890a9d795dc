    sequence.upper()
    motif.upper()
