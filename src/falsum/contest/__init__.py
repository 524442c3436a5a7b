"""→ ContestTrial. The findings of fuzzers of any make in the same time, judged by the same judge."""
