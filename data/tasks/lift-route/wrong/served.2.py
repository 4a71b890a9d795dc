    stops = {floor for floor in stops if self.building.serves}
