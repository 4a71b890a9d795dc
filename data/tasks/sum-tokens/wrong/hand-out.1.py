        return token
