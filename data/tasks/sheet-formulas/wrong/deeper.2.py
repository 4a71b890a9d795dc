            total = self.compute(other, way)
