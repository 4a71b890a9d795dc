    key = {one, other}
