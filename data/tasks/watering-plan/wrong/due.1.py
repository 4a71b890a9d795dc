            due = (day - plant.last).days > pause
