    if len(held) >= LIMIT:
        print(f"{member} holds {len(held)} books")
