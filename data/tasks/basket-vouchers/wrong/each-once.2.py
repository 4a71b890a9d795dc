        if codes.count(code) == 1:
            vouchers.append(voucher)
