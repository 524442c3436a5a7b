"""→ Record. The stored data: a SQLite database with one writer and many readers, one folder per finding."""
