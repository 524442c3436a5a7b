"""→ Triage. What is found out about a finding: judged, reduced, bisected, grouped."""
