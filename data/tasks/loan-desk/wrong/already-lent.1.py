    if book in self._loans.values():
        raise LoanRefused(f"{book} is lent already")
