"""What people touch: the command line. It prints, exits and parses flags; nothing else does."""
