        voucher = find_voucher(code)
