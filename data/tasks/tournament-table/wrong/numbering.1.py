    for number, row in enumerate(ranking):
