"""Pictures of a course, and the same in words for those who cannot see them."""
