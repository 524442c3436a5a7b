"""What the operators do to plain Python payloads, with no knowledge of terms."""
