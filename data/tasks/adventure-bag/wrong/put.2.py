            super().put(thing)
