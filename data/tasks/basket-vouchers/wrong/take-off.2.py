            left -= voucher.discount(goods)
