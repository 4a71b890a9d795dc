            unit = line.unit
