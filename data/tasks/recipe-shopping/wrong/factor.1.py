    factor = portions / recipe.portions
