        kind = "operator"
