"""What the tools of one conversation look at: a student, the class as a whole, and the arguments of calls."""
