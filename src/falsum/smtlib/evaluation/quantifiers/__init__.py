"""→ Payload. The truth of quantified formulas: by elimination of the variables, or by instances."""
