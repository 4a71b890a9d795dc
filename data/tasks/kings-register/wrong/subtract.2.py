            number += -value if value <= following else value
