            left = voucher.discount(left)
