"""Broken laws: answers of one solver to scripts that belong together."""
