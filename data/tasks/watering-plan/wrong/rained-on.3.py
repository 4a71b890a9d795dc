            rained = wet and plant.covered
