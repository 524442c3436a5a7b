"""Reports on contests: a page that needs no other file, and Markdown."""
