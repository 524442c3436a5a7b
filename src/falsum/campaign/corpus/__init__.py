"""→ CorpusSeed. Collections of seeds: what is in them, taken from archives, filtered, made few."""
