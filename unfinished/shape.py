"""An adapter folder in the form that ships, in a temporary folder."""
import tempfile
from pathlib import Path
from finetune.shipping import ship_adapter
def shipped_form(trained: Path) -> Path:
    target=Path(tempfile.mkdtemp())/'adapter'; ship_adapter(trained,target); return target
