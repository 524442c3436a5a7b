"""→ Flat. What is known of a seed: its status, its last check as a flat script, models and cores."""
