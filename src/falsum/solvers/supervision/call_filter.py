"""Call filter: the system calls that fenced programs may make, as a program for seccomp.

Unlisted calls are refused. The lists have the calls needed in tests with z3, cvc5, cvc4, bitwuzla, boolector,
Python, gdb and sanitizers, and similar ones; `--fence learn` shows what else a program calls. Loaded by the
supervisor, which runs without site-packages.
"""

from __future__ import annotations

import errno
import functools
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# The audit number of the architecture, and the column of its numbers below.
_ARCHITECTURES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}
_X32_BIT = 0x40000000

# Name, number on x86_64, number on aarch64.
_GROUPS = (
    # Memory, without memory that belongs to no process (memfd, System V but for maps of edges).
    """
    brk 12 214; mmap 9 222; munmap 11 215; mremap 25 216; mprotect 10 226; madvise 28 233;
    msync 26 227; mincore 27 232; mlock 149 228; mlock2 325 284; munlock 150 229; mlockall 151 230;
    munlockall 152 231; get_mempolicy 239 236; membarrier 324 283; pkey_mprotect 329 288;
    pkey_alloc 330 289; pkey_free 331 290; map_shadow_stack 453 453; mseal 462 462;
    cachestat 451 451
    """,
    # Files: Landlock says which. What it does not look at is not here: modes, owners, times, locks.
    """
    read 0 63; write 1 64; readv 19 65; writev 20 66; pread64 17 67; pwrite64 18 68; preadv 295 69;
    pwritev 296 70; preadv2 327 286; pwritev2 328 287; open 2 -1; openat 257 56; openat2 437 437;
    creat 85 -1; close 3 57; close_range 436 436; lseek 8 62; dup 32 23; dup2 33 -1; dup3 292 24;
    fcntl 72 25; ioctl 16 29; stat 4 -1; fstat 5 80; lstat 6 -1; newfstatat 262 79; statx 332 291;
    access 21 -1; faccessat 269 48; faccessat2 439 439; readlink 89 -1; readlinkat 267 78;
    getdents 78 -1; getdents64 217 61; getcwd 79 17; chdir 80 49; fchdir 81 50; mkdir 83 -1;
    mkdirat 258 34; rmdir 84 -1; unlink 87 -1; unlinkat 263 35; rename 82 -1; renameat 264 38;
    renameat2 316 276; link 86 -1; linkat 265 37; symlink 88 -1; symlinkat 266 36; mknod 133 -1;
    mknodat 259 33; truncate 76 45; ftruncate 77 46; fallocate 285 47; fadvise64 221 223;
    readahead 187 213; fsync 74 82; fdatasync 75 83; sync_file_range 277 84; umask 95 166;
    statfs 137 43; fstatfs 138 44; getxattr 191 8; lgetxattr 192 9; fgetxattr 193 10;
    listxattr 194 11; llistxattr 195 12; flistxattr 196 13; copy_file_range 326 285; sendfile 40 71;
    splice 275 76; tee 276 77; pipe 22 -1; pipe2 293 59; eventfd 284 -1; eventfd2 290 19
    """,
    # Waiting.
    """
    select 23 -1; pselect6 270 72; poll 7 -1; ppoll 271 73; epoll_create 213 -1;
    epoll_create1 291 20; epoll_ctl 233 21; epoll_wait 232 -1; epoll_pwait 281 22;
    epoll_pwait2 441 441; signalfd 282 -1; signalfd4 289 74; timerfd_create 283 85;
    timerfd_settime 286 86; timerfd_gettime 287 87; nanosleep 35 101; clock_nanosleep 230 115;
    pause 34 -1; futex 202 98; futex_waitv 449 449; futex_wake 454 454; futex_wait 455 455;
    futex_requeue 456 456
    """,
    # Processes and threads.
    """
    clone 56 220; fork 57 -1; vfork 58 -1; execve 59 221; execveat 322 281; exit 60 93;
    exit_group 231 94; wait4 61 260; waitid 247 95; getpid 39 172; getppid 110 173; gettid 186 178;
    getpgid 121 155; getpgrp 111 -1; getsid 124 156; setpgid 109 154; setsid 112 157;
    set_tid_address 218 96; set_robust_list 273 99; get_robust_list 274 100; rseq 334 293;
    prctl 157 167; arch_prctl 158 -1; kill 62 129; tkill 200 130; tgkill 234 131;
    sched_yield 24 124; sched_getaffinity 204 123; sched_setaffinity 203 122;
    sched_getparam 143 121; sched_getscheduler 145 120; sched_getattr 315 275;
    sched_get_priority_max 146 125; sched_get_priority_min 147 126; sched_rr_get_interval 148 127;
    getpriority 140 141; setpriority 141 140; ioprio_get 252 31; getrlimit 97 163;
    setrlimit 160 164; prlimit64 302 261; getrusage 98 165; times 100 153; getuid 102 174;
    geteuid 107 175; getgid 104 176; getegid 108 177; getresuid 118 148; getresgid 120 150;
    getgroups 115 158; capget 125 90; personality 135 92; uname 63 160; sysinfo 99 179;
    getcpu 309 168; restart_syscall 219 128
    """,
    # Signals and timers.
    """
    rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigpending 127 136;
    rt_sigtimedwait 128 137; rt_sigqueueinfo 129 138; rt_tgsigqueueinfo 297 240;
    rt_sigsuspend 130 133; sigaltstack 131 132; alarm 37 -1; getitimer 36 102; setitimer 38 103;
    timer_create 222 107; timer_settime 223 110; timer_gettime 224 108; timer_getoverrun 225 109;
    timer_delete 226 111; time 201 -1; gettimeofday 96 169; clock_gettime 228 113;
    clock_getres 229 114
    """,
    # Pairs of sockets, random numbers, a fence of its own.
    """
    socketpair 53 199; sendto 44 206; recvfrom 45 207; sendmsg 46 211; recvmsg 47 212;
    shutdown 48 210; getsockname 51 204; getpeername 52 205; getsockopt 55 209; setsockopt 54 208;
    getrandom 318 278; seccomp 317 277; landlock_create_ruleset 444 444; landlock_add_rule 445 445;
    landlock_restrict_self 446 446
    """,
    # What debuggers and leak checkers use; Landlock keeps it inside.
    """
    ptrace 101 117; process_vm_readv 310 270; process_vm_writev 311 271
    """,
)
_SHMAT = {"x86_64": 30, "aarch64": 196}
_TRACING = "ptrace process_vm_readv process_vm_writev".split()
# Newer calls, and clone3, whose flags a filter cannot see: programs take an older call instead.
_FIRST_UNKNOWN = 424
_CLONE3 = 435

# Flags of `clone` that make namespaces; types of sockets that reach nobody else; commands that write on a
# terminal as if somebody typed.
_NAMESPACES = 0x7E020000
_SOCKET_TYPES, _STREAM, _SEQPACKET = 0xF, 1, 5
_TYPING = (0x5412, 0x541C)

_ALLOW, _LOG, _ERRNO = 0x7FFF0000, 0x7FFC0000, 0x00050000
_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _GIVE = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENT = 0, 4, 16

Instruction = tuple[int, int, int, int]


def is_known_machine() -> bool:
    """Whether there are lists for this architecture."""
    return os.uname().machine in _ARCHITECTURES


@functools.lru_cache(maxsize=16)
def program(*, traces: bool, learns: bool, segment: int | None = None) -> bytes:
    """The filter in the kernel's form; if it `learns`, calls that it would refuse are allowed and logged.

    A build that counts its edges may attach one `segment` of System V memory, which is its map.
    """
    architecture, _column = _ARCHITECTURES[os.uname().machine]
    refuse = (_LOG, _LOG) if learns else (_ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS)
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_GIVE, 0, 0, _ERRNO | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32_BIT),
        (_GIVE, 0, 0, _ERRNO | errno.EPERM),
        (_EQUAL, 0, 1, _CLONE3),
        (_GIVE, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    calls, tests = numbers(traces=traces), _tests()
    if segment is not None:
        calls["shmat"] = _SHMAT[os.uname().machine]
        tests["shmat"] = [_argument(0), (_EQUAL, 0, 1, segment), (_GIVE, 0, 0, _ALLOW)]
    for name, test in tests.items():
        body = [*test, (_GIVE, 0, 0, refuse[0])]
        code += [(_EQUAL, 0, len(body), calls.pop(name)), *body]
    for first, last in _ranges(calls.values()):
        code += [(_AT_LEAST, 3, 0, last + 1), (_AT_LEAST, 0, 1, first), (_GIVE, 0, 0, _ALLOW)]
        code += [(_GIVE, 0, 0, refuse[first > _FIRST_UNKNOWN])]
    code += [(_AT_LEAST, 0, 1, _FIRST_UNKNOWN), (_GIVE, 0, 0, refuse[1]), (_GIVE, 0, 0, refuse[0])]
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def numbers(*, traces: bool) -> dict[str, int]:
    """The calls allowed on this architecture, some of them with certain arguments only."""
    _architecture, column = _ARCHITECTURES[os.uname().machine]
    entries = [entry.split() for group in _GROUPS for entry in group.split(";")]
    numbers_ = {entry[0]: int(entry[column]) for entry in entries if int(entry[column]) >= 0}
    return {name: number for name, number in numbers_.items() if traces or name not in _TRACING}


def _tests() -> dict[str, list[Instruction]]:
    """The tests for a call that is allowed with certain arguments only; a refusal follows."""
    allow = (_GIVE, 0, 0, _ALLOW)
    first_is_zero = [_argument(0), (_EQUAL, 0, 1, 0), allow]
    return {
        # Of the program itself, not of another process.
        "prlimit64": first_is_zero,
        "sched_setaffinity": first_is_zero,
        "setpriority": [_argument(0), (_EQUAL, 0, 3, 0), _argument(1), (_EQUAL, 0, 1, 0), allow],
        "clone": [_argument(0), (_ANY_BIT, 1, 0, _NAMESPACES), allow],
        "ioctl": [_argument(1), (_EQUAL, 2, 0, _TYPING[0]), (_EQUAL, 1, 0, _TYPING[1]), allow],
        # Datagrams could be sent to any socket of the machine.
        "socketpair": [
            _argument(1),
            (_AND, 0, 0, _SOCKET_TYPES),
            (_EQUAL, 1, 0, _STREAM),
            (_EQUAL, 0, 1, _SEQPACKET),
            allow,
        ],
    }


def _argument(place: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENT + 8 * place)


def _ranges(calls: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Numbers in a row, as the first and the last of each row."""
    row: list[int] = []
    for number in sorted(calls):
        if row and number != row[-1] + 1:
            yield row[0], row[-1]
            row = []
        row.append(number)
    if row:
        yield row[0], row[-1]
