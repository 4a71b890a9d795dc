    ordered = messages
