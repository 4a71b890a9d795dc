    earliest = now + WALK
