        if town == goal:
            return list(previous) + [goal]
