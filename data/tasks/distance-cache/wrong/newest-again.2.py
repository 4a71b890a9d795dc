        distance = self._known[key]
        self._known.move_to_end(key)
