"""→ Outcome. Where batches run."""
