            total = size_of(entry)
