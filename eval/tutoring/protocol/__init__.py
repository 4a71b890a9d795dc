"""The protocol of a measurement: a dialogue with its moderator, coding tests before and after, and a run of many."""
