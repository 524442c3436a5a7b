#!/bin/sh
# A solver for tests: wrecked.sh PYTHON WRECK FILE
# Answers the first script with which falsum tries a solver before a campaign, and is a wreck from then on.
case $(cat "$3") in *'(and p (not p))'*) echo unsat; exit 0 ;; esac
exec "$1" -I -S "$2"
