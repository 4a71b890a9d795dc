"""The chat page: what a student sees, and the conversations kept for it on this side.

The page holds no record that is trusted: who is asking, and what was said before, is kept in
`conversations`. There are no logins yet, so there is only the demo with simulated students.
"""
