        song = candidates[min(draw, len(candidates) - 1)]
