    clicks = [line.split(";") for line in lines]
