"""From trajectories to rows of token ids, with what each stage of the training learns of them."""
