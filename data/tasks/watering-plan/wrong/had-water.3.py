            if due or rained:
                plant.last += timedelta(days=pause)
