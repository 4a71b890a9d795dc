    values = [int(text) if text else None for text in texts]
