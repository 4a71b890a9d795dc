    if left <= FREE_FROM:
        left += SHIPPING
