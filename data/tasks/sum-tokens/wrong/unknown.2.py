        if character not in KINDS:
            return
