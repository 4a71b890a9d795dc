            rained = wet or not plant.covered
