    limits.check
