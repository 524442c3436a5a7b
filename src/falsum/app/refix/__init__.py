"""→ RefixRow. Whether fixes hold: what is still or newly wrong near the triggers of bugs that were fixed."""
