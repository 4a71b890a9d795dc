"""All steps as one, from a TOML file to a GGUF file for the chat; like make, only what is due is done."""
