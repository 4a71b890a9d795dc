    return NoRoute(f"no road leads from {start} to {goal}")
