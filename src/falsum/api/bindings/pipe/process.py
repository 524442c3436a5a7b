"""A solver's process at the other end of a pipe, and the scanner that finds the end of its answers."""

from __future__ import annotations

import os
import signal
import sys
import time

COVERAGE = "GCOV_PREFIX"  # set for programs that are built for coverage
CLEAN_END_SECONDS = 5.0


class SolverProcess:
    """A started program; `ask` writes a command and returns the answer."""

    def __init__(self, argv: list[str]) -> None:
        child_stdin, self.stdin = os.pipe()
        self.stdout, child_stdout = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, child_stdin, 0), (os.POSIX_SPAWN_DUP2, child_stdout, 1)]
        self.pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
        os.close(child_stdin)
        os.close(child_stdout)
        self.unread = b""

    def ask(self, command: str) -> str:
        try:
            data = command.encode() + b"\n"
            while data:
                data = data[os.write(self.stdin, data) :]
        except BrokenPipeError:
            self.exit_like_program()
        return self.answer()

    def answer(self) -> str:
        """The next S-expression, which may span several lines."""
        scanner = ExpressionScanner()
        while True:
            end = scanner.end_in(self.unread)
            if end is not None:
                text, self.unread = self.unread[:end].decode(errors="replace").strip(), self.unread[end:]
                return text
            more = os.read(self.stdout, 1 << 16)
            if not more:
                self.exit_like_program()
            self.unread += more

    def exit_like_program(self) -> None:
        """End this process as the program has ended, so that the parent sees how."""
        _, status = os.waitpid(self.pid, 0)
        sys.stderr.write(self.unread.decode(errors="replace"))
        sys.stderr.flush()
        if os.WIFSIGNALED(status):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status) or 1)

    def stop(self) -> None:
        os.close(self.stdin)
        if not (COVERAGE in os.environ and self.has_ended_cleanly()):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.stdout)

    def has_ended_cleanly(self) -> bool:
        """Whether it ends by itself, now that its input has ended, and so writes its coverage data."""
        deadline = time.monotonic() + CLEAN_END_SECONDS
        while time.monotonic() < deadline:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return True
            time.sleep(0.005)
        return False


class ExpressionScanner:
    """Finds the end of an S-expression in text that arrives in pieces."""

    def __init__(self) -> None:
        self.position = self.depth = 0
        self.quote = 0
        self.has_begun = False

    def end_in(self, text: bytes) -> int | None:
        """The end of the first S-expression; None if the text, all that has arrived, does not contain it."""
        while self.position < len(text):
            byte = text[self.position]
            self.position += 1
            if self.quote:
                if byte == self.quote:
                    self.quote = 0
                continue
            if byte in b'"|':
                self.quote, self.has_begun = byte, True
            elif byte == ord("("):
                self.depth, self.has_begun = self.depth + 1, True
            elif byte == ord(")"):
                self.depth -= 1
                if self.depth <= 0:
                    return self.position
            elif byte in b" \t\r\n":
                if self.has_begun and not self.depth:
                    return self.position
            else:
                self.has_begun = True
        return None


def list_items(text: str) -> list[str]:
    """The items of a list, each as text."""
    data = text.strip()[1:-1].encode() + b" "
    items: list[str] = []
    while True:
        data = data.lstrip()
        end = ExpressionScanner().end_in(data)
        if end is None:
            return items
        items.append(data[:end].decode().strip())
        data = data[end:]
