    for place, character in enumerate(text):
