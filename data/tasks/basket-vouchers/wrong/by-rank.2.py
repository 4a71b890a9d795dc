    sorted(vouchers, key=lambda voucher: voucher.rank)
