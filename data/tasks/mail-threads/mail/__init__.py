"""Messages and the threads that they form."""
