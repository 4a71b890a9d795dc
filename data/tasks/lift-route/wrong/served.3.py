    stops = {floor for floor in stops if self.building.lowest <= floor <= self.building.highest}
