"""The findings of a store in figures: tables and charts."""
