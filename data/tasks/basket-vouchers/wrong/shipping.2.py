    if goods < FREE_FROM:
        left += SHIPPING
