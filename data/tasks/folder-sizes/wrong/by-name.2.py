    for entry in sorted(folder.entries):
