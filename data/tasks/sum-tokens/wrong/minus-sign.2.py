        if character == "-" and before is not None and not before.ends_operand:
            kind = "sign"
