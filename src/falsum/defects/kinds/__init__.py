"""Kinds of defects: each is a module that knows how it is found, judged, shown again and described."""
