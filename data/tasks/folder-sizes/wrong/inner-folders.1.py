            large_folders(entry, least, path)
