"""Event logs of learning platforms, read into one small table of clicks.

`schema` is that table; `reading.read_events` fills it from edX tracking logs (`edx`, `json_lines`) or from
Moodle's log export (`moodle`, `moodle_records`, `moodle_words`), whatever their size: `lines` cuts files into
blocks of numbered lines, `batch` says what became of each line, `clock` reads times, `pieces` puts sorted
files together. Nothing here knows a course, its schedule or a feature.
"""
