            number += value
