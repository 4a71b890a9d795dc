"""Tests of the teacher by files for tutoring dialogues."""
