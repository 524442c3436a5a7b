"""falsum finds bugs in SMT solvers and delivers them proved, small and ready to report."""

__version__ = "0.1.0"
