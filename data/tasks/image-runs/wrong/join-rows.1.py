    return "".join(line + "/" for line in lines)
