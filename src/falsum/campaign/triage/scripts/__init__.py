"""Triage of findings in scripts."""
