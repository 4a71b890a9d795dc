"""Event logs of learning platforms, read into one small table of clicks.

`schema` is that table; `reading.read_events` fills it from edX tracking logs (`edx`) or from Moodle's log export
(`moodle`). `lines` cuts files into blocks of numbered lines; `clock` reads times. Nothing here knows a course.
"""
