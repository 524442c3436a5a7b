"""→ Record. What is kept: a SQLite database with one writer and many readers, one folder per finding."""
