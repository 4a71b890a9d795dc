    for floor in stops:
        if not self.building.serves(floor):
            stops.remove(floor)
