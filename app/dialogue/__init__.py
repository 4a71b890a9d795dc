"""One question from task to record, and what a student reads on the way: the same on terminal, page and batch."""
