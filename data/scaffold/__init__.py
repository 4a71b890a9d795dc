"""A new course to fill in: `write.new_course` writes one from the templates in `en/` and `fr/`.

It is a small but complete course, so that the checks pass from the first minute and say at once when an edit
has gone wrong.
"""
