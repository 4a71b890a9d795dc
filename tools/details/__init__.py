"""What tools pick out of what they know, by the words that were asked."""
