"""→ Target. What is looked for again, how a solver stands to it, and by what `replay.sh` recognises it."""
