"""Whether a judge can be trusted: its verdicts against people's labels, and how those labels are gathered blind.

What it is not: a judge, nor the page on which people label.
"""
