    values = [int(text) for text in texts if text.isdigit()]
