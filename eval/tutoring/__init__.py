"""How tutors are measured (DICT): simulated students, dialogues with them, coding tests, and what these say of a tutor.

The protocol is that of "Training Turn-by-Turn Verifiers for Dialogue Tutoring Agents" (Wang et al. 2025,
arXiv:2502.13311), section 4. Tutors themselves stand in `scribe.tutor`; here is nothing that a student of flesh meets.
"""
