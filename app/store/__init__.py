"""What the chat keeps: conversations, ratings, consents, who looked at what, and how much each person has asked.

It knows people by pseudonym alone (`app.accounts`). Every question about a person's data takes the person and selects
by it, so that nothing of another's can come back. Times are seconds since 1970, UTC.
"""
