        voucher = find_voucher(code)
        if voucher is None:
            continue
