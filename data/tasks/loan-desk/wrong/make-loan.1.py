    loan = Loan(member, book, due)
