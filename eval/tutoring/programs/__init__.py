"""Programs that students write for a task: run in the sandbox, each text once, and read for what they use."""
