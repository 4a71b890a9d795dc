        inside = min(rest, band.end)
