        if length > 1:
            runs.append(format_run(length, colour))
