        vouchers.append(voucher)
