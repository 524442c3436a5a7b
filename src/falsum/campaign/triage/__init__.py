"""→ Triage. Findings are judged, reduced, bisected and grouped."""
