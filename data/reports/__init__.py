"""Feedback reports: `compose` and `llm` write them, `claims` says where one disagrees with the data."""
