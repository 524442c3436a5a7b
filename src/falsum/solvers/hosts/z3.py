"""Z3's shared library without its Python layer; loaded by `serve.py`, never by falsum itself.

A fresh context per script costs a seventh of a fresh process, and unlike `(reset)` in a program that
stays it leaves nothing behind: global parameters are put back too.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

LIBRARY = ctypes.CDLL(str(Path(sys.path[0], "z3", "lib", "libz3.so")))
HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
POINTER, TEXT = ctypes.c_void_p, ctypes.c_char_p


def function(name: str, result: type | None, *arguments: type) -> ctypes._NamedFuncPointer:
    found = getattr(LIBRARY, name)
    found.restype, found.argtypes = result, arguments
    return found  # type: ignore[no-any-return]


mk_config = function("Z3_mk_config", POINTER)
del_config = function("Z3_del_config", None, POINTER)
mk_context = function("Z3_mk_context", POINTER, POINTER)
del_context = function("Z3_del_context", None, POINTER)
set_error_handler = function("Z3_set_error_handler", None, POINTER, HANDLER)
evaluate = function("Z3_eval_smtlib2_string", TEXT, POINTER, TEXT)
reset_parameters = function("Z3_global_param_reset_all", None)
set_parameter = function("Z3_global_param_set", None, TEXT, TEXT)

# Without a handler of ours the library ends the process; errors are in the text it returns.
IGNORE = HANDLER(lambda _context, _code: None)


def answer(script: str, settings: list[tuple[str, str]]) -> None:
    reset_parameters()
    for name, value in settings:
        set_parameter(name.encode(), value.encode())
    config = mk_config()
    context = mk_context(config)
    del_config(config)
    try:
        set_error_handler(context, IGNORE)
        os.write(1, evaluate(context, script.encode(errors="replace")))
    finally:
        del_context(context)
