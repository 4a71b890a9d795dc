"""Pictures of a course, and the same in words for those who cannot see them.

`importance` draws what weighs for a student, `reliability` how far predictions can be trusted, `topics` how topics
build on each other. `influence` and `topic_grid` work out what is drawn; `canvas` holds page, type and colours.
Nothing here opens a window or touches pyplot's state.
"""
