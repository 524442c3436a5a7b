"""Host: long-lived children that answer one script after another."""
