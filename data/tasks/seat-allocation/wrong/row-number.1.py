        row = int(seat[0])
