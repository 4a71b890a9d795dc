        before = before or token
