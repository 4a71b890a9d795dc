            pause = days_between(plant, start)
