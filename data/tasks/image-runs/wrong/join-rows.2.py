    return "/".join(rows)
