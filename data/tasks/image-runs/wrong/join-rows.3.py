    return lines.join("/")
