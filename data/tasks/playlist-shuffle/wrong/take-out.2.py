        remaining.pop(draw % len(remaining))
