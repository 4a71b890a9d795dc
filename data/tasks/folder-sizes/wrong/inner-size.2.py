            total += sum(size for _, size in large_folders(entry, least, path))
