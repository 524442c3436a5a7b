"""→ Slot. Which batch of mutants comes next."""
