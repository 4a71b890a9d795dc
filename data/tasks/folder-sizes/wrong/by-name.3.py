    folder.entries.sort(key=lambda entry: entry.name)
    for entry in folder.entries:
