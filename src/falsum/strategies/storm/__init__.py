"""storm: new formulas from the fragments of a seed (Mansur et al., ESEC/FSE 2020)."""
