    held = loans_of(member)
