            reached = minute > earliest
