"""Lost property and who looks after it."""
