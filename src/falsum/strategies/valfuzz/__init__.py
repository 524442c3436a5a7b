"""valfuzz: other constants in a seed, chosen by Boolean sub-expression coercion (Wolff, ETH Zürich, 2020)."""
