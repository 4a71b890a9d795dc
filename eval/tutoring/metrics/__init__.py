"""From coding tests to what is said of tutors: Recall@k, Pass@k, outcome rates and curves, with their intervals."""
