"""→ Slot. What a campaign over scripts tries next: seeds, strategies, configurations of solvers."""
