"""The life of findings on the command line: states, re-tests, stores of several machines."""
