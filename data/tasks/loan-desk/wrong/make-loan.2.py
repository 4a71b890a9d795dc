    loan = (book, member, due)
