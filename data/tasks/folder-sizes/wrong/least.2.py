    if len(folder.entries) >= least:
