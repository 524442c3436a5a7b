"""→ Fingerprint. What findings are known by: signatures, groups, lists of known ones."""
