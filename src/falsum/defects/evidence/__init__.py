"""→ Judgement. Which solver is wrong, by the strongest evidence available."""
