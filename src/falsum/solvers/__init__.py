"""Answer: programs and libraries that answer scripts, started, limited and never trusted."""
