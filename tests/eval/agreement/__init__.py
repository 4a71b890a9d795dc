"""Tests of eval.agreement."""
