    ordered = given
