            if due:
                plant.last = day
