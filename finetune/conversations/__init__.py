"""Conversations to learn from: what students ask, and what a capable writer, asked by files, does with it."""
