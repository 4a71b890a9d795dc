            total += entry.size
