    mean = total // weight
