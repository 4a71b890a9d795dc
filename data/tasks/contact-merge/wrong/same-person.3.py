        known = next((other for other in merged if numbers | numbers_of(other)), None)
