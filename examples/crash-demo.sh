#!/usr/bin/env bash
# Runs the heat solver twice: once undisturbed, once with a rank that dies at a random time by signal 9, and compares.
#
#   examples/crash-demo.sh [options of HeatDiffusion, e.g. --steps 10000]
set -euo pipefail
cd "$(dirname "$0")/.."
mpjrun=./mpjrun
[ -x "$mpjrun" ] || mpjrun=bin/mpjrun # in a distribution

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== undisturbed"
"$mpjrun" -np 4 examples/HeatDiffusion.java "$@" --png none | tee "$work/undisturbed"
echo
echo "== with a crash: one of the ranks will die by signal 9, and all go back to their last snapshot"
"$mpjrun" -np 4 --checkpoint 1s examples/HeatDiffusion.java "$@" --kill random | tee "$work/crashed"

echo
if ! grep -q 'kills itself now' "$work/crashed"; then
    echo "the job was over before the crash: give it more --steps"
    exit 1
fi
expected=$(grep '^checksum ' "$work/undisturbed")
actual=$(grep '^checksum ' "$work/crashed")
if [ "$expected" = "$actual" ]; then
    echo "a rank died, and the answer is the same: $actual"
else
    echo "the answers differ: $expected without the crash, $actual with it"
    exit 1
fi
