"""Tests of eval.significance."""
