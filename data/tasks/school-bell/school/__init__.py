"""The calendar and the bell of a school."""
