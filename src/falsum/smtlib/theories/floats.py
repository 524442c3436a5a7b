"""FloatingPoint, and what solvers add to it."""

from __future__ import annotations

from falsum.smtlib.operators import Theory, aliases, table

_FP = "(_ FloatingPoint e s)"
_RM = "RoundingMode"

_STANDARD = table(
    "FloatingPoint",
    f"""
    (fp (_ BitVec 1) (_ BitVec e) (_ BitVec i) (_ FloatingPoint e (+ i 1)))
    (fp.abs {_FP} {_FP}) (fp.neg {_FP} {_FP})
    (fp.sqrt {_RM} {_FP} {_FP}) (fp.roundToIntegral {_RM} {_FP} {_FP})
    (fp.rem {_FP} {_FP} {_FP}) (fp.min {_FP} {_FP} {_FP}) (fp.max {_FP} {_FP} {_FP})
    (fp.fma {_RM} {_FP} {_FP} {_FP} {_FP})
    """
    + "".join(f"(fp.{n} {_RM} {_FP} {_FP} {_FP})" for n in ("add", "sub", "mul", "div"))
    + "".join(f"(fp.{n} {_FP} {_FP} Bool :chainable)" for n in ("leq", "lt", "geq", "gt", "eq"))
    + "".join(
        f"(fp.is{n} {_FP} Bool)"
        for n in ("Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive")
    )
    + f"""
    ((_ to_fp e s) (_ BitVec (+ e s)) {_FP})
    ((_ to_fp e s) {_RM} (_ FloatingPoint i j) {_FP})
    ((_ to_fp e s) {_RM} Real {_FP})
    ((_ to_fp e s) {_RM} (_ BitVec m) {_FP})
    ((_ to_fp_unsigned e s) {_RM} (_ BitVec m) {_FP})
    ((_ fp.to_ubv m) {_RM} {_FP} (_ BitVec m) :where (< 0 m))
    ((_ fp.to_sbv m) {_RM} {_FP} (_ BitVec m) :where (< 0 m))
    (fp.to_real {_FP} Real)
    """,
)
_EXTENSIONS = table(
    "FloatingPoint",
    f"""
    (fp.to_ieee_bv {_FP} (_ BitVec (+ e s)))
    ((_ to_fp_bv e s) (_ BitVec (+ e s)) {_FP})
    ((_ to_fp_fp e s) {_RM} (_ FloatingPoint i j) {_FP})
    ((_ to_fp_real e s) {_RM} Real {_FP})
    ((_ to_fp_signed e s) {_RM} (_ BitVec m) {_FP})
    ((_ to_fp e s) {_RM} Int {_FP})
    ((_ to_fp e s) {_RM} Real Int {_FP}) ((_ to_fp e s) {_RM} Int Real {_FP})
    ((_ to_fp e s) (_ BitVec 1) (_ BitVec e) (_ BitVec i) {_FP})
    ((_ fp.to_ubv_I m) {_RM} {_FP} (_ BitVec m)) ((_ fp.to_sbv_I m) {_RM} {_FP} (_ BitVec m))
    ((_ fp.min_i e s) {_FP} {_FP} {_FP}) ((_ fp.max_i e s) {_FP} {_FP} {_FP})
    """,
    is_standard=False,
)
_MERGED = {operator.name: operator for operator in _EXTENSIONS}
_OPERATORS = [
    type(o)(
        o.name,
        o.theory,
        o.signatures + (_MERGED.pop(o.name).signatures if o.name in _MERGED else ()),
    )
    for o in _STANDARD
]
_OPERATORS += [operator for operator in _EXTENSIONS if operator.name in _MERGED]

THEORY = Theory(
    "FloatingPoint",
    {
        "FloatingPoint": (2, 0),
        "RoundingMode": (0, 0),
        "Float16": (0, 0),
        "Float32": (0, 0),
        "Float64": (0, 0),
        "Float128": (0, 0),
    },
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"to_ieee_bv": "fp.to_ieee_bv"}),
    ),
)
