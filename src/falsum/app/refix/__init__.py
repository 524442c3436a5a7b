"""→ RefixRow. Whether fixes hold: searches around the triggers of fixed bugs for what is still or newly
wrong.
"""
