    recipe = self._recipes[name]
