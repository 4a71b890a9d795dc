        distance = DistanceSource(self._places).distance(one, other)
