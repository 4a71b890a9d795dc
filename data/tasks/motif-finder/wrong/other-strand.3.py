    patterns = {"+": motif, "-": reverse_complement}
