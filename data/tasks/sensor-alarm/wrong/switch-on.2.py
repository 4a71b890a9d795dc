            changes = warm
