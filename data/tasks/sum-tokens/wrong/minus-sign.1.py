        if character == "-" and before is None:
            kind = "sign"
