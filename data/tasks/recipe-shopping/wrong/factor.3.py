    factor = Fraction(recipe.portions) / portions
