        if not brace:
            break
