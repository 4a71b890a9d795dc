    for place, character in enumerate(text + " ", start=1):
