def shopping(self, name: str, portions: int | Fraction) -> dict[tuple[str, str], Fraction]:
    """For each ingredient and smallest unit, how much one needs to cook so many portions of a recipe."""
    # <find-recipe>
    recipe = self.find(name)
    # </find-recipe>
    # <factor>
    factor = Fraction(portions) / recipe.portions
    # </factor>
    needed: dict[tuple[str, str], Fraction] = {}
    for line in recipe.lines:
        # <scale-line>
        amount = line.amount * factor
        # </scale-line>
        if line.unit == PORTION:
            # <inner-recipe>
            inner = self.shopping(line.what, amount)
            # </inner-recipe>
            # <merge>
            for entry, more in inner.items():
                needed[entry] = needed.get(entry, 0) + more
            # </merge>
        else:
            # <smallest-unit>
            amount, unit = to_smallest(amount, line.unit)
            # </smallest-unit>
            # <add-up>
            needed[line.what, unit] = needed.get((line.what, unit), 0) + amount
            # </add-up>
    return needed
