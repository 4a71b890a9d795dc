    for entry in folder.entries:
