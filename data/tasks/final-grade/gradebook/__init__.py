"""Grades of a course."""
