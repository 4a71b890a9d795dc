"""Predicts who passes from the behaviour of the concluded weeks, fitted on an earlier run of the course."""
