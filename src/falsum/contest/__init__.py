"""→ ContestTrial. What fuzzers of any make find in the same time, judged by the same judge."""
