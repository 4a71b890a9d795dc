    if not content.startswith("="):
        return content
