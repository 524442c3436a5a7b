"""Wrong verdicts: one defect with several ways to find it."""
