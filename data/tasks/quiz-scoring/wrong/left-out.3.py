        written = sheet.get(number)
