def total(self, codes: list[str]) -> int:
    """What is to pay, with the vouchers of these codes."""
    # <goods>
    goods = self.subtotal()
    # </goods>
    vouchers: list[Voucher] = []
    for code in codes:
        # <look-up>
        try:
            voucher = find_voucher(code)
        except UnknownVoucher:
            continue
        # </look-up>
        # <each-once>
        if voucher not in vouchers:
            vouchers.append(voucher)
        # </each-once>
    # <by-rank>
    vouchers.sort(key=lambda voucher: voucher.rank)
    # </by-rank>
    left = goods
    for voucher in vouchers:
        # <minimum>
        counts = goods >= voucher.minimum
        # </minimum>
        if counts:
            # <take-off>
            left -= voucher.discount(left)
            # </take-off>
            # <not-below-zero>
            left = max(left, 0)
            # </not-below-zero>
    # <shipping>
    if left < FREE_FROM:
        left += SHIPPING
    # </shipping>
    return left
