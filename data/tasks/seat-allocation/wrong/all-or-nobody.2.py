    if not free:
        raise CarriageFull("no seat is free")
