    missing = texts.count("")
