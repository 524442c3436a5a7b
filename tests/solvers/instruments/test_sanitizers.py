"""Reports of sanitizers, as GCC and clang print them, are read with their place and frames."""

from __future__ import annotations

import pytest

from falsum.solvers.instruments.sanitizers import first_report, is_reporting, lacks_memory

ASAN = """[debug] took 0.3 s
=================================================================
==12584==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020000000b8 at pc 0x55 bp 0x7f sp 0x7f
WRITE of size 4 at 0x6020000000b8 thread T0
    #0 0x7f1 in __interceptor_memcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:100
    #1 0x559013981059 in Solver::apply(std::string const&, std::vector<int> const&) /home/me/toy.cpp:16
    #2 0x559013999960 in Session::term(Expression const&, int&) /home/me/toy_main.cpp:59
    #3 0x559013999960 in Session::term(Expression const&, int&) /home/me/toy_main.cpp:59
    #4 0x55901399b4ac in (anonymous namespace)::run(Expression const&) /home/me/toy_main.cpp:88
    #5 0x7f2a91845249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

0x6020000000b8 is located 0 bytes to the right of 8-byte region [0x6020000000b0,0x6020000000b8)
allocated by thread T0 here:
    #0 0x7f2 in operator new[](unsigned long) ../../../../src/libsanitizer/asan/asan_new_delete.cpp:98
    #1 0x55 in elsewhere() /home/me/other.cpp:15
"""
UBSAN = """x/y/z.cpp:33:17: runtime error: signed integer overflow: 2147483647 + 12 cannot be represented
    #0 0x55f4 in rational::add(rational const&) /src/x/y/z.cpp:33
    #1 0x55f5 in main /src/x/main.cpp:3
"""
MSAN = """==9==WARNING: MemorySanitizer: use-of-uninitialized-value
    #0 0x4a in read_token(std::istream&) /src/parser.cpp:10:7
    #1 0x4b in main /src/main.cpp:4:3
"""
TSAN = """==================
WARNING: ThreadSanitizer: data race (pid=4711)
  Write of size 4 at 0x7b04 by thread T1:
    #0 portfolio::stop() /src/portfolio.cpp:77 (solver+0x12)
    #1 std::thread::_State_impl<int>::_M_run() /usr/include/c++/12/bits/std_thread.h:210 (solver+0x13)

  Previous read of size 4 at 0x7b04 by main thread:
    #0 main /src/main.cpp:9 (solver+0x14)
"""
# clang names the build after the place; templates of the C++ library stand in folders of the compiler.
TSAN_CLANG = """WARNING: ThreadSanitizer: data race (pid=17131)
  Write of size 4 at 0x5628 by thread T2:
    #0 bump(int) /src/race.cpp:4:44 (tsanc+0xd43bc) (BuildId: 952e49b5)
    #1 void std::__invoke_impl<void, void (*)()>(std::__invoke_other, void (*&&)()) /usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/invoke.h:61:14 (tsanc+0xd4cba) (BuildId: 952e)
    #2 <null> <null> (libstdc++.so.6+0xd44a2) (BuildId: 289ee39f)
"""  # noqa: E501
BARE = """==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55 bp 0x0 sp 0x7f T0)
    #0 0x55 in solve (/opt/solver+0x1234)
    #1 0x7f (/lib/x86_64-linux-gnu/libffi.so.8+0x6f79)
"""


ASAN_LINE = (
    "AddressSanitizer: heap-buffer-overflow at toy.cpp:16 in Solver::apply < Session::term < "
    "(anonymous namespace)::run"
)
UBSAN_LINE = (
    "UndefinedBehaviorSanitizer: signed integer overflow: N + N cannot be represented at z.cpp:33 "
    "in rational::add < main"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (ASAN, ASAN_LINE),
        (UBSAN, UBSAN_LINE),
        (MSAN, "MemorySanitizer: use-of-uninitialized-value at parser.cpp:10 in read_token < main"),
        (TSAN, "ThreadSanitizer: data race at portfolio.cpp:77 in portfolio::stop"),
        (TSAN_CLANG, "ThreadSanitizer: data race at race.cpp:4 in bump"),
        (BARE, "AddressSanitizer: SEGV in solve"),
        ("==1==ERROR: LeakSanitizer: detected memory leaks\n", "LeakSanitizer: detected memory leaks"),
    ],
)
def test_what_where_and_through_which_calls(text: str, line: str) -> None:
    assert str(first_report(text)) == line


def test_runs_differ_in_addresses_numbers_and_folders_only() -> None:
    other = ASAN.replace("0x5590139", "0x7770139").replace("12584", "9").replace("/home/me", "/elsewhere")
    assert str(first_report(other)) == str(first_report(ASAN))
    stores = [UBSAN.replace("2147483647", address) for address in ("0x60a1", "0x7ffe0")]
    assert str(first_report(stores[0])) == str(first_report(stores[1]))
    other = UBSAN.replace("2147483647 + 12", "2147483600 + 99").replace("0x55f4", "0x1")
    assert str(first_report(other)) == str(first_report(UBSAN))


def test_another_place_is_another_failure() -> None:
    assert str(first_report(ASAN.replace("toy.cpp:16", "toy.cpp:17"))) != str(first_report(ASAN))


def test_debug_output_is_no_report() -> None:
    assert (
        first_report("[debug] AddressSanitizer is on\nWARNING: no runtime error: none\n#0 f x.cpp:1\n")
        is None
    )
    assert not is_reporting(b"time: 0.3 s\n")
    assert is_reporting(ASAN.encode())


def test_a_sanitizer_without_memory_says_nothing_about_the_solver() -> None:
    assert lacks_memory("==1==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 bytes at 2008fff7000")
    assert not lacks_memory(ASAN)
