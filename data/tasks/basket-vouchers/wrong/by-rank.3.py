    vouchers.sort(key=lambda voucher: voucher.rank, reverse=True)
