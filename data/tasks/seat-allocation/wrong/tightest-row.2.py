    chosen = max(roomy, key=len)
