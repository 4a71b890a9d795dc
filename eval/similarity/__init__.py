"""How close generated questions are to real ones: entropy, perplexity, diversity, and where they lie by meaning.

The measures are those of the SCRIBE paper (sections 3.1.4 and 4.1, appendix D.2). Our 40 real questions were written by
this project's team as students would, in English and on one course: no substitute for a study with students.
"""
