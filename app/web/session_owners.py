"""Whose a session of a page is: its name, which the browser chose, is no key to another's stream."""

import threading
from collections import OrderedDict

MOST = 50
"""Sessions that one person may have; the longest unused is forgotten, and nobody can push out another's."""


class SessionOwners:
    """The first who uses a name has the session. person: an id, or nothing where nobody signs in, as in a demo."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        self._used: dict[str, OrderedDict[str, None]] = {}
        self._lock = threading.Lock()

    def admit(self, session: str, person: str) -> bool:
        """Whether this person may use the session; from now on it is theirs if it was nobody's."""
        if not person:
            return True
        with self._lock:
            if self._owners.setdefault(session, person) != person:
                return False
            used = self._used.setdefault(person, OrderedDict())
            used[session] = None
            used.move_to_end(session)
            while len(used) > MOST:
                self._owners.pop(used.popitem(last=False)[0])
            return True
