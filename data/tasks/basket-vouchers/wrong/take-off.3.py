            voucher.discount(left)
