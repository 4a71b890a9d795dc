"""Pills: when they are taken, and when they run out."""
