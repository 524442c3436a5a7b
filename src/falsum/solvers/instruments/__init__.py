"""→ Build. The instruments compiled into a solver: sanitizers and coverage, their needs, and their
reports.
"""
