            pause = plant.every
