"""→ Judgement. Who is wrong, by the strongest evidence that can be had."""
