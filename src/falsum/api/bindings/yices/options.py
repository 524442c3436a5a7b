"""Options of Yices, by the documentation of the library, which does not list them."""

from __future__ import annotations

from typing import Any

# Options of contexts, which are on or off, and parameters of checks, by the library's documentation.
CONTEXT_OPTIONS = (
    "var-elim", "arith-elim", "bvarith-elim", "eager-arith-lemmas", "flatten", "learn-eq", "keep-ite",
    "break-symmetries", "assert-ite-bounds",
)  # fmt: skip
BOOLEAN_PARAMETERS = (
    "fast-restart", "cache-tclauses", "dyn-ack", "dyn-bool-ack", "simplex-prop", "simplex-adjust", "icheck",
    "optimistic-fcheck",
)  # fmt: skip
NUMERIC_PARAMETERS = {
    "c-threshold": 100, "d-threshold": 100, "r-threshold": 1000, "tclause-size": 8, "max-ack": 1000,
    "max-bool-ack": 600000, "aux-eq-quota": 100, "dyn-ack-threshold": 10, "dyn-bool-ack-threshold": 10,
    "max-interface-eqs": 200, "prop-threshold": 30, "bland-threshold": 1000, "icheck-period": 50,
    "max-update-conflicts": 20, "max-extensionality": 1, "random-seed": 123,
}  # fmt: skip
SHARES = {
    "randomness": 0.0,
    "var-decay": 0.95,
    "clause-decay": 0.999,
    "r-fraction": 0.25,
    "aux-eq-ratio": 0.3,
}
BRANCHING = ("default", "negative", "positive", "theory", "th-neg", "th-pos")


def drawable_options() -> list[dict[str, Any]]:
    """The library does not list its options: the defaults are those of its documentation."""
    infos: list[dict[str, Any]] = [
        {"name": name, "kind": "bool", "default": default}
        for names, default in ((CONTEXT_OPTIONS, ""), (BOOLEAN_PARAMETERS, "false"))
        for name in names
    ]
    for name, number in NUMERIC_PARAMETERS.items():
        infos.append({"name": name, "kind": "int", "default": str(number), "minimum": 1})
    for name, share in SHARES.items():
        infos.append({"name": name, "kind": "float", "default": str(share), "minimum": 0, "maximum": 1})
    infos.append({"name": "branching", "kind": "mode", "default": BRANCHING[0], "choices": BRANCHING})
    return infos
