    if plate in self._residents:
        amount //= 2
