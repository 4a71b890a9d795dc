            yield from large_folders(entry, least)
