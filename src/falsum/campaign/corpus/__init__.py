"""→ CorpusSeed. Collections of seeds: described, imported from archives, filtered, minimised."""
