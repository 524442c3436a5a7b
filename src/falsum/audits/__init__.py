"""→ Row. Sets of queries, run on solvers: whether answers are right, survive an upgrade, and do not depend on
luck.

The room is called `audits` because `falsum.audit` is the function.
"""
