            note(change)
