            if time.endswith("*"):
                continue
