        song = candidates[draw]
