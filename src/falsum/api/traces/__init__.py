"""→ Trace. Recorded calls: replayed, translated, minimised, and written as stand-alone programs."""
