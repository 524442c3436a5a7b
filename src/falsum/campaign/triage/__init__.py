"""→ Result. What becomes of a finding: judged, reduced, grouped, bisected."""
