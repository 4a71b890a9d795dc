"""People beside the protocol: two tutors' dialogues with the same student, and which of them people call better."""
