#!/bin/sh
# A solver for tests: forger.sh PROGRAM FORGERY FILE runs a real solver and forges what it prints.
# A request for a model after unsat is no error to a forger.
program=$1 forgery=$2 file=$3
printed=$("$program" "$file" | sed '/^(error "[^"]* is not available")$/d')
case $forgery in
unsat-parts) # unsat to more than one assertion
    [ "$(grep -c '(assert' "$file")" -le 1 ] || printed=unsat ;;
core) # names one assertion, or assumption, less
    printed=$(printf '%s\n' "$printed" | sed 's/^(\([^()]*[^ ()]\) [^ ()]*)$/(\1)/') ;;
modest) # eight where nine is right, and no model of that
    case $printed in
    *objectives*' 9)'*) printed=$(printf '%s\n' "$printed" | sed 's/^ (\(.*\) 9)$/ (\1 8)/; /^($/,/^)$/d') ;;
    esac ;;
esac
printf '%s\n' "$printed"
case $printed in *'(error'*) exit 1 ;; esac
exit 0
