        counts = left >= voucher.minimum
