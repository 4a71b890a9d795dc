        try:
            voucher = find_voucher(code)
        except UnknownVoucher:
            break
