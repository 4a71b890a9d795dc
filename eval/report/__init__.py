"""One page on runs: what judges said, how sure it is, which tools were used, the worst answers, what is missing.

It judges nothing and computes no statistic of its own: verdicts come from `eval.judge`'s files, numbers from
`eval.significance`, `eval.agreement` and `eval.tool_use`.
"""
