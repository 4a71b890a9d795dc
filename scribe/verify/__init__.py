"""What a tutor's turns rest on: tracing what a student knows, and verifying which turn would bring them furthest.

Run time only: trained in `finetune.verifier`. Not here: the tutors (`scribe.tutor.methods`).
"""
