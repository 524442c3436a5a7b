"""Row: queries × solvers, releases, random seeds and rewritings: are answers right, do they survive an
upgrade, do they depend on luck.

The room is called `audits` because `falsum.audit` is the function.
"""
