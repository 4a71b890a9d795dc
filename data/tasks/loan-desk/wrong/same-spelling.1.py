    book.strip().upper()
