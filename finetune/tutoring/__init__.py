"""The teacher by files for tutoring: a large language model writes the tutor's turns, simulated students answer."""
