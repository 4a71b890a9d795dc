        rows[row].append(seat)
