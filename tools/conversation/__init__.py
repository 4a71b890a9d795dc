"""What a conversation in a course begins with: its language, the task, and the names that the check needs."""
