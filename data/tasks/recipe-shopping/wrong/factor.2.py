    factor = portions // recipe.portions
