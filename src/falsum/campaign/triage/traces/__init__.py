"""→ Triage. Findings in libraries: their traces are judged, replayed, and replayed on other releases."""
