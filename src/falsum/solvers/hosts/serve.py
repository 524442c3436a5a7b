"""Runs a solver's Python library in a process of its own: one script, or one after another.

Run as `python -I -S serve.py LIBRARY FOLDER MODE [NAME=VALUE…] [SCRIPT]`, without falsum on its
path. LIBRARY is the file beside this one that knows the product, FOLDER holds the installed
package. MODE `once` answers the file SCRIPT; `stay` reads requests from standard input (a line with
the number of bytes and the closing mark, then the bytes), answers on standard output, and writes the
mark on a line of its own; `options` lists the library's options as JSON.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType


def main() -> int:
    file, folder, mode, *rest = sys.argv[1:]
    script = rest.pop() if mode == "once" else ""
    settings = [(word.partition("=")[0], word.partition("=")[2]) for word in rest]
    sys.path.insert(0, folder)
    try:
        library = load(file)
    except Exception as error:  # noqa: BLE001 - whatever it is, the solver has not got to say anything yet
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
        return CANNOT_LOAD
    if mode == "options":
        os.write(1, json.dumps(library.options()).encode())
    elif mode == "once":
        return answer(library, Path(script).read_bytes().decode(errors="replace"), settings)
    else:
        while request := sys.stdin.buffer.readline():
            size, _, mark = request.strip().partition(b" ")
            answer(library, sys.stdin.buffer.read(int(size)).decode(errors="replace"), settings)
            os.write(1, mark + b"\n")
    return 0


def load(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("library", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer(library: ModuleType, script: str, settings: list[tuple[str, str]]) -> int:
    """Answer a script with the library; exceptions are printed as `(error …)`, as programs do."""
    status = 0
    try:
        library.answer(script, settings)
    except Exception as error:  # noqa: BLE001 - whatever a solver raises is its answer
        message = str(error).replace('"', "'")
        LIBC.fflush(None)  # what the library itself printed comes first
        os.write(1, f'(error "{message}")\n'.encode(errors="replace"))
        status = 1
    LIBC.fflush(None)
    return status


LIBC = ctypes.CDLL(None)
# The status of a host that cannot load its library.
CANNOT_LOAD = 96

if __name__ == "__main__":
    status = main()
    if "GCOV_PREFIX" in os.environ:
        LIBC.exit(status)  # libraries built for coverage write their data at exit
    # Not sys.exit: a crash while objects of a solver are torn down would be taken for an answer.
    os._exit(status)
