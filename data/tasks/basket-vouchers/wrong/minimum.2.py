        counts = goods > voucher.minimum
