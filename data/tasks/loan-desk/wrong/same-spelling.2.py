    book = book.strip()
