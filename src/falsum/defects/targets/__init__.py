"""→ Target. What is looked for again, whether a solver shows it, and how `replay.sh` recognises it."""
