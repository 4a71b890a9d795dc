    return True
