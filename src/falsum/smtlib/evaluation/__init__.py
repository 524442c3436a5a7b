"""→ Value. The reference evaluator: the value of a term under a model, or *cannot say*."""
