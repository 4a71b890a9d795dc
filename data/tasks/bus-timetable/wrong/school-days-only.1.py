            if time.endswith("*") and not school_day:
                break
