    if len(held) > LIMIT:
        raise LoanRefused(f"{member} holds {len(held)} books")
