#!/bin/sh
# A solver for tests: liar.sh MODE OPERATOR FILE
# Knows no logic at all: says sat, or unsat if the script says `false`; x is always 7. If the script has the
# operator, it is wrong in the way of its mode. For scripts with one check-sat.
mode=$1 operator=$2 script=$(cat "$3")
verdict=sat x=7
case $script in *false*) verdict=unsat ;; esac
case $script in
*"$operator"*)
    case $mode in
    crash) kill -SEGV $$ ;;
    abort) echo "Assertion \`$operator' failed at rewriter.cpp:17" >&2; kill -ABRT $$ ;;
    hang) sleep 60 ;;
    slow) i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done ;;
    verdict) if [ $verdict = sat ]; then verdict=unsat; else verdict=sat; fi ;;
    unknown) verdict=unknown ;;
    error) echo '(error "line 1 column 1: unknown function")' ;;
    model) x=0 ;;
    esac
    ;;
esac
echo $verdict
case $script in *'(get-model)'*) [ $verdict = sat ] && echo "((define-fun x () Int $x))" ;; esac
exit 0
