        alike = by_subject[key]
