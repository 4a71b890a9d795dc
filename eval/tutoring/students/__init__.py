"""Students that programs play: one whose knowledge is known, and a language model told what a student knows."""
