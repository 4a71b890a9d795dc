"""Training the verifier and the tracer from tutoring dialogues; what runs stands in `scribe.verify`."""
