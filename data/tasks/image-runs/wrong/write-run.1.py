                runs.append(f"{length}{colour}")
