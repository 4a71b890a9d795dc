            changes = not warm
