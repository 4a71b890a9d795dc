        thread = alike or by_id.get(message.reply_to)
