    ahead = {floor for floor in stops if is_ahead(floor)}
