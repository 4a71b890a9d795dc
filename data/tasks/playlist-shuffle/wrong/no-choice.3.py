        if not candidates:
            return
