"""→ Record. What we remember: SQLite, one writer, many readers, and one folder per finding."""
