"""Who is asking: a person who signed in, under a pseudonym, with the course, student and role that are theirs.

Each way of signing in is a file; all end in a `Person`. Names and addresses of people go no further than here.
"""
