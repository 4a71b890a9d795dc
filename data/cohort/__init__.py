"""Students simulated click by click, with the grades that follow from what they did; no real person is in here.

`traits` says what a student is like and how that drifts over the weeks, `session` what they click, `week` how a week's
work is shared out. `simulate` is the way in, `demo.toml` the settings of our four courses, and
`scribe courses simulate dsp --out DIR` writes a past and a current run of one.
"""
