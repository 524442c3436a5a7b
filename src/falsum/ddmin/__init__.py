"""→ Minimum. Generic minimisation: partitions of edits and a cached predicate, for scripts and traces."""
