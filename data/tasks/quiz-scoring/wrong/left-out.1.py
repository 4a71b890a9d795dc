        if number not in sheet:
            continue
        written = sheet[number]
