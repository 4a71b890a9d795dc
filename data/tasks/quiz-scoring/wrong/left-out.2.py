        written = sheet[number]
