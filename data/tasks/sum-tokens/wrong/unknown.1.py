        if character not in KINDS:
            continue
