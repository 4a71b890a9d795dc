"""What choosing among candidates is worth, by sessions with knowledge-driven students; none of it runs for a student."""
