"""An editor that can undo."""
