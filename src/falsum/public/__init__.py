"""The functions and the campaign that `import falsum` offers; `falsum/__init__.py` lists all public names."""
