    patterns = {"+": motif, "-": motif[::-1]}
