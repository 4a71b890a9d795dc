"""Running other people's Python against tests, without network, files, environment or unlimited means.

Bubblewrap makes the walls (`walls`), a filter of system calls closes what namespaces leave open (`syscalls`), and a
small program inside runs each test in a process of its own (`inside`). Where there is no bubblewrap nothing is run.
"""
