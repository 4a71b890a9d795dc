    if nights < 0:
        raise ValueError(f"{nights} nights are no stay")
