def large_folders(folder: Folder, least: int, above: str = "") -> Iterator[tuple[str, int]]:
    """Path and size of each folder of at least so many blocks, a folder after all that it contains."""
    # <path>
    path = f"{above}/{folder.name}"
    # </path>
    total = 0
    # <by-name>
    for entry in sorted(folder.entries, key=lambda entry: entry.name):
    # </by-name>
        if isinstance(entry, File):
            # <whole-blocks>
            total += blocks_of(entry.size)
            # </whole-blocks>
        else:
            # <inner-folders>
            yield from large_folders(entry, least, path)
            # </inner-folders>
            # <inner-size>
            total += size_of(entry)
            # </inner-size>
    # <least>
    if total >= least:
    # </least>
        # <yield-pair>
        yield path, total
        # </yield-pair>
