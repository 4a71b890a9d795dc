    if nights < 1:
        print(f"{nights} nights are no stay")
