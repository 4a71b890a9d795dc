"""A thermometer's readings and the alarm that follows them."""
