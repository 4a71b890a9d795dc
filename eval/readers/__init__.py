"""Fresh questions that nobody tuned on, what the shipped model answered, and how two independent readers marked it."""
