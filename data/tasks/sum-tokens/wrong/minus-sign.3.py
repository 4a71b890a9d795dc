        if character == "-" and (before is None or before.kind == "operator"):
            kind = "sign"
