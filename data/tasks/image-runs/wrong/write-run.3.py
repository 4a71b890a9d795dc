                format_run(length, colour)
