            due = day.day - plant.last.day >= pause
