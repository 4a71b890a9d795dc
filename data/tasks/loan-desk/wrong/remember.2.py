    self._loans = {book: loan}
