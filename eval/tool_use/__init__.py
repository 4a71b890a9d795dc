"""What can be counted in finished answers without a judge: calls, faults, groundedness, seconds and tokens.

    python -m eval.tool_use RUN.jsonl… [--questions QUESTIONS.jsonl]

It gives no opinion on an answer (`eval.judge` does), and it needs no model.
"""
