        return False
