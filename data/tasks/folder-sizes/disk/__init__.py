"""What takes up a disk."""
