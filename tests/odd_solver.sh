#!/bin/sh
# An odd but honest solver: a real one, asked as it is, in unusual surroundings.
# Usage: odd_solver.sh PROGRAM MANNER SCRIPT
program=$1 manner=$2 script=$3
solve() { "$program" -smt2 "$script"; }
# The n-th verdict, and what stands in its place.
at() { awk -v n="$1" -v word="$2" '/^(sat|unsat|unknown)$/ { if (++seen == n) { if (word != "") print word; next } } { print }'; }
each() { awk -v before="$1" -v behind="$2" '{ if (before != "") print before; print; if (behind != "") print behind }'; }
case $manner in
plain) solve ;;
# Formats.
carriage-returns) solve | sed 's/$/\r/' ;;
trailing-spaces) solve | sed 's/$/   /' ;;
leading-spaces) solve | sed 's/^/  /' ;;
blank-lines) solve | each "" " " ;;
banner) echo "OddSolver 1.0 (c) nobody"; solve ;;
comments) solve | each "" "; a comment" ;;
statistics-lines) solve; echo "c time 0.1"; echo "c memory 3" ;;
statistics-list) solve; echo "(:time 0.1 :memory 3)" ;;
successes) solve | each "success" "" ;;
result-lines) solve; echo "result: unsat"; echo "unsat core: none" ;;
capitals) solve | tr '[:lower:]' '[:upper:]' ;;
full-stops) solve | sed 's/^\(sat\|unsat\)$/\1./' ;;
prefixed) solve | sed 's/^\(sat\|unsat\)$/s \1/' ;;
twice) solve | awk '{ print; print }' ;;
garbage) printf '\377\376\001\n'; solve ;;
nul) printf 'a\000b\n'; solve ;;
quoted-markers) solve | sed 's/^\(falsum-.*\)$/"\1"/' ;;
no-markers) solve | grep -v '^falsum-' ;;
no-end-markers) solve | sed '/^falsum-.*\.$/d' ;;
no-begin-markers) solve | sed '/^falsum-.*[0-9]$/d' ;;
markers-first) solve >answers; grep '^falsum-' answers; grep -v '^falsum-' answers ;;
two-lines-a-verdict) solve | each "" "(:reason nothing)" ;;
no-last-line) solve | sed '$d' ;;
# Dishonest, for comparison.
lies) solve | sed 's/^unsat$/sat/' ;;
lies-at-*) solve | awk -v n="${manner##*-}" '/^(sat|unsat)$/ { if (++seen == n) { print $0 == "sat" ? "unsat" : "sat"; next } } { print }' ;;
# Warnings.
warning) echo "warning: this is odd" >&2; solve ;;
warning-on-stdout) echo "WARNING: this is odd"; solve ;;
debug-output) echo "debug: checking the assertion stack, 0 failures, no internal errors" >&2; solve ;;
profile-output) solve; echo "[profile] 3 assertions failed to simplify" >&2 ;;
to-stderr) solve >&2 ;;
to-both) solve | tee /dev/stderr ;;
nothing) ;;
# Statuses.
status-*) solve; exit "${manner#status-}" ;;
competition) solve | tee answers; case $(tail -1 answers) in sat) exit 10 ;; unsat) exit 20 ;; esac ;;
# Time-outs and interrupts at a check.
timeout-at-*) solve | at "${manner##*-}" timeout ;;
unknown-timeout-at-*) solve | at "${manner##*-}" "unknown (TIMEOUT)" ;;
interrupted-at-*) solve | at "${manner##*-}" "interrupted by timeout" ;;
unknown-at-*) solve | at "${manner##*-}" unknown ;;
silent-at-*) solve | at "${manner##*-}" "" ;;
error-at-*) solve | at "${manner##*-}" '(error "unknown parameter x")' ;;
stops-after-*) solve | head -n "${manner##*-}"; exit 0 ;;
hangs-at-once) exec sleep 60 ;;
hangs-at-last) solve; exec sleep 60 ;;
gives-up) echo timeout; exit 124 ;;
# Starts and ends.
slow-start) sleep 0.2; solve ;;
in-pieces) solve | while IFS= read -r line; do printf '%s' "$line"; sleep 0.01; echo; done ;;
child) sleep 60 & solve ;;
# Signals from outside, before and after the answer.
before-*) kill -s "${manner#before-}" $$; sleep 1 ;;
after-*) solve; kill -s "${manner#after-}" $$; sleep 1 ;;
shell-*) solve; exit "$((128 + ${manner#shell-}))" ;;
# Polite refusals.
refuses) echo '(error "this theory is not supported")'; exit 1 ;;
refuses-on-stderr) echo "sorry, not supported" >&2; exit 2 ;;
unsupported) echo unsupported; solve ;;
usage) echo "usage: odd [-x] FILE" >&2; exit 64 ;;
esac
