"""Pictures of a course: what weighs for a student, how far predictions can be trusted, how topics build.

`importance`, `reliability` and `topics` each draw one kind of what `influence`, `quality`, `chain`, `lanes` and `grid`
work out without drawing anything; `sheet` holds page, type and colours, `files` keeps a picture as a file, `words` says
what is on it to those who cannot see it. Nothing here opens a window or touches pyplot's state.
"""
