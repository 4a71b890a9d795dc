"""What choosing among candidates is worth, by sessions with knowledge-driven students; no student meets any of it."""
