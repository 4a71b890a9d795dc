"""Pictures of a course, and the same in words for those who cannot see them.

`importance` draws what weighs for a student (found by `influence`), `reliability` how far predictions can be trusted,
`topics` how topics build on each other; `canvas` holds page, type, colours and files. Nothing touches pyplot's state.
"""
