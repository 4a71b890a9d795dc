    tidy_name(name)
