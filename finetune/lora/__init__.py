"""LoRA training of Llamas on rows of our own transcript: from ids and labels to an adapter and its loss curve."""
