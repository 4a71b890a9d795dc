    if departure <= arrival:
        raise ValueError(f"left at {departure}, before it came")
