            total = blocks_of(entry.size)
