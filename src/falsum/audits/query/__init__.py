"""Query: where queries come from, what they ask, and what is in them, as text."""
