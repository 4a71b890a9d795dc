    chosen = min(roomy)
