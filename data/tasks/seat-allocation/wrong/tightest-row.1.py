    chosen = roomy[0]
