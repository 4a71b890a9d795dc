"""The tutors, one file each; all speak through a `scribe.tutor.speaking.Speaker`, and `opening` knows their names."""
