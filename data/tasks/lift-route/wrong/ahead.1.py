    ahead = {floor for floor in stops if floor > self.floor}
