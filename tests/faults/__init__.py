"""Real faults, injected into real processes: full disks, locked databases, dead servers, moved clocks, kill -9."""
