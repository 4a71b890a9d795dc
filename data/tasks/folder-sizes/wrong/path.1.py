    path = f"/{folder.name}"
