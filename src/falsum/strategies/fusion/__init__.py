"""fusion: two seeds in one, coupled by fused constants (Winterer, Zhang, Su: PLDI 2020)."""
