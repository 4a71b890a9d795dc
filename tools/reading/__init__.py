"""How a question is read before the model sees it: what it asks, of which week, topic or behaviour, and its parts."""
