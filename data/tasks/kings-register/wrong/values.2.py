        values = [int(letter) for letter in last]
