            total += entry.size / 4096
