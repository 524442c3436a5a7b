"""→ Trace. Recorded calls: reduced, translated to scripts, and written as stand-alone programs."""
