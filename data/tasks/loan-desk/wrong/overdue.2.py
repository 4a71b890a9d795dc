    if held and all(loan.due < today for loan in held):
        raise LoanRefused(f"{member} has an overdue book")
