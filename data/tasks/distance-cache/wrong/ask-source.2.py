        distance = DistanceSource.distance(one, other)
