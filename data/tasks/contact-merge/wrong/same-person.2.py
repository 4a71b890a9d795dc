        known = next((other for other in merged if other.name == card.name), None)
