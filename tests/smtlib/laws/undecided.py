from __future__ import annotations
NOT_BY_Z3: dict[str, str] = {}
UNSAID: dict[str, str] = {}
