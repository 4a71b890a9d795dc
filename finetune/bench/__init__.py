"""Programs that measure the training code; nothing of the training needs them."""
