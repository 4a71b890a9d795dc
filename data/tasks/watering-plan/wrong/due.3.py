            due = day - plant.last >= pause
