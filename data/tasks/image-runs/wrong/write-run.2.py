                runs.append(format_run(length, pixel))
