    if cell in above:
        return Loop(f"{cell} needs its own value")
