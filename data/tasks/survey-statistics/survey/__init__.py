"""Answers to a survey and what they say together."""
