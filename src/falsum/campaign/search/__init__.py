"""→ Slot. What a campaign chooses: seeds, strategies, configurations, and what it expects of them."""
