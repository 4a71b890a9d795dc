            return True
