        if name not in fields:
            fields[name] = ""
