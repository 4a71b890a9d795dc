            reached = minute <= earliest
