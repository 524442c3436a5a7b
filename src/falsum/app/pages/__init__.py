"""→ Page. The contents of a store as web pages, live from a server or as one file."""
