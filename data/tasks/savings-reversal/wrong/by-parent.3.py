    reversal = Ledger.reverse(number, today)
