"""→ Fingerprint. Which findings are the same bug: signatures, groups, lists of known findings."""
