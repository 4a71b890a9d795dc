"""Conversations to learn from: what students ask, and what a capable writer does with it, written round by round.

The writer is whoever answers requests in OpenAI's batch form: a batch service, `vllm run-batch`, a model behind an
address, or careful people and helpers with a text editor. Nothing here writes a thought, a call or an answer itself.
"""
