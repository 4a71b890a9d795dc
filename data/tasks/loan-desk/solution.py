def lend(self, member: str, book: str, today: date) -> Loan:
    """Lend a book to a member and return the loan; raise LoanRefused if the rules do not allow it."""
    # <same-spelling>
    book = book.strip().upper()
    # </same-spelling>
    # <already-lent>
    if book in self._loans:
        raise LoanRefused(f"{book} is lent already")
    # </already-lent>
    # <loans-of-member>
    held = self.loans_of(member)
    # </loans-of-member>
    # <limit>
    if len(held) >= LIMIT:
        raise LoanRefused(f"{member} holds {len(held)} books")
    # </limit>
    # <overdue>
    if any(loan.due < today for loan in held):
        raise LoanRefused(f"{member} has an overdue book")
    # </overdue>
    # <open-day>
    due = next_open_day(today + timedelta(days=DAYS))
    # </open-day>
    # <make-loan>
    loan = Loan(book, member, due)
    # </make-loan>
    # <remember>
    self._loans[book] = loan
    # </remember>
    return loan
