"""→ Batch. Which batch comes next."""
