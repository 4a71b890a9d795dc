        if town == goal:
            return trace_back(previous, start)
