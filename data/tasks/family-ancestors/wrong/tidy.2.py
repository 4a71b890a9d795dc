    name = name.strip().title()
