    if not roomy:
        raise CarriageFull("no row has room")
