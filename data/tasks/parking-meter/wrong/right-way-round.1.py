    if departure < arrival:
        return ValueError(f"left at {departure}, before it came")
