"""The command line's arguments. Nothing of what the commands do is imported here, so that `--help` is quick."""
