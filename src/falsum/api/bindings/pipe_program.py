"""A program at the other end of a pipe, and where its answers end; loaded by `pipe.py` in the child."""

from __future__ import annotations

import os
import signal
import sys


class Program:
    """The program, started; `ask` writes a command and returns the answer."""

    def __init__(self, argv: list[str]) -> None:
        theirs, self.stdin = os.pipe()
        self.stdout, ours = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, theirs, 0), (os.POSIX_SPAWN_DUP2, ours, 1)]
        self.pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
        os.close(theirs)
        os.close(ours)
        self.heard = b""

    def ask(self, command: str) -> str:
        try:
            data = command.encode() + b"\n"
            while data:
                data = data[os.write(self.stdin, data) :]
        except BrokenPipeError:
            self.die_too()
        return self.answer()

    def answer(self) -> str:
        """One s-expression, whatever lines it stands on."""
        reader = Reader()
        while True:
            end = reader.feed(self.heard)
            if end is not None:
                text, self.heard = self.heard[:end].decode(errors="replace").strip(), self.heard[end:]
                return text
            more = os.read(self.stdout, 1 << 16)
            if not more:
                self.die_too()
            self.heard += more

    def die_too(self) -> None:
        _, status = os.waitpid(self.pid, 0)
        sys.stderr.write(self.heard.decode(errors="replace"))
        sys.stderr.flush()
        if os.WIFSIGNALED(status):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status) or 1)

    def stop(self) -> None:
        os.close(self.stdin)
        os.close(self.stdout)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Reader:
    """Finds where an s-expression ends; goes on where it stopped when more text has come."""

    def __init__(self) -> None:
        self.place = self.depth = 0
        self.quote = 0
        self.begun = False

    def feed(self, text: bytes) -> int | None:
        """The end of the first s-expression in the text, None if it is not there yet."""
        while self.place < len(text):
            byte = text[self.place]
            self.place += 1
            if self.quote:
                if byte == self.quote:
                    self.quote = 0
                continue
            if byte in b'"|':
                self.quote, self.begun = byte, True
            elif byte == ord("("):
                self.depth, self.begun = self.depth + 1, True
            elif byte == ord(")"):
                self.depth -= 1
                if self.depth <= 0:
                    return self.place
            elif byte in b" \t\r\n":
                if self.begun and not self.depth:
                    return self.place
            else:
                self.begun = True
        return None


def parts(text: str) -> list[str]:
    """The members of a list, each as text."""
    data = text.strip()[1:-1].encode() + b" "
    found: list[str] = []
    while True:
        data = data.lstrip()
        end = Reader().feed(data)
        if end is None:
            return found
        found.append(data[:end].decode().strip())
        data = data[end:]
