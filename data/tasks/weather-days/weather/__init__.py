"""What a weather station tells."""
