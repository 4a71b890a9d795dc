        thread = by_id[message.reply_to] if message.reply_to else alike
