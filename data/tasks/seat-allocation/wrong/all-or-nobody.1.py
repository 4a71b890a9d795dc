    if len(free) <= len(names):
        raise CarriageFull(f"{len(free)} seats are free")
