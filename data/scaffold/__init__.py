"""A new course to fill in, small but complete, so that the checks pass from the first minute: `write.new_course`."""
