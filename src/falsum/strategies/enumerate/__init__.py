"""enumerate: every formula of a theory's operators, the smallest first (after ET, Winterer and Su, 2024)."""
