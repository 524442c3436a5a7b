"""→ Script. Whole scripts rebuilt with other sorts, functions or names, consistently everywhere."""
