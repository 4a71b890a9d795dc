"""Tests of eval.judge."""
