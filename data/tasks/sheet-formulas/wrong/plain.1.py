    if not content.startswith("="):
        return int(content)
