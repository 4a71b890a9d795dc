            changes = run > CONFIRM
